// SPDX-License-Identifier: GPL-2.0-only
//
//	node otlp-programs.mjs DEFINITIONS PROGRAM RECORDING
//
// Receives what PROGRAM sends of RECORDING, of write_otel_data, which has the
// records that exporters of OpenTelemetry write to user_events. Compares it with
// what OpenTelemetry's exporter of OTLP for JavaScript makes of the same logs and
// spans, which follow. Prints differences; exits with 0 if there are none.
//
// The exporters for user_events do not write the flags of a trace, so these are 0
// here, and of the resource only the service.
import {spawn} from "node:child_process";
import http from "node:http";
import {isDeepStrictEqual} from "node:util";
import {Definitions} from "./otlp-definitions.mjs";

const [directory, program, recording] = process.argv.slice(2);
const definitions = new Definitions(directory);
const {createExportLogsServiceRequest} = definitions.require("./transformer/logs/internal.js");
const {createExportTraceServiceRequest} = definitions.require("./transformer/trace/internal.js");
const received = {"/v1/logs": [], "/v1/traces": [], "/v1/metrics": []};
const problems = [];

// Seconds and nanoseconds
const time = (text, nanoseconds = 0) => [Date.parse(text) / 1000, nanoseconds];
// When the record was written
const written = (number) => [Date.parse("2026-07-01T12:35:00Z") / 1000 + number, 0];
const context = (traceId, spanId) => ({traceId, spanId, traceFlags: 0});

const checkout = {"service.name": "checkout", "service.instance.id": "pod-7"};
const logs = [{
	resource: {attributes: checkout},
	hrTime: time("2026-07-01T12:34:56Z", 123456789),
	hrTimeObserved: written(0),
	severityNumber: 17,
	severityText: "ERROR",
	body: "card declined",
	eventName: "checkout.declined",
	attributes: {user: "J\u00f6rg \"7\"", order: -(2 ** 63), price: 0.1, retry: true,
		"deployment.environment.name": "test", event_id: 42},
	spanContext: context("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"),
}, {
	resource: {attributes: {}},
	hrTime: time("2026-07-01T12:34:57Z"),
	hrTimeObserved: written(1),
	severityNumber: 9,
	attributes: {},
}, {
	// The exporter for C++ writes no time.
	resource: {attributes: {}},
	hrTime: written(4),
	hrTimeObserved: written(4),
	severityNumber: 13,
	severityText: "WARN",
	body: "cart is full",
	eventName: "cart.full",
	attributes: {event_id: 7, items: 4294967295, list: [1, -2], names: ["a", ""]},
}, {
	resource: {attributes: {"service.name": "billing"}},
	scope: "Billing.Store",
	hrTime: time("2026-07-01T12:34:58Z", 500000000),
	hrTimeObserved: written(5),
	severityNumber: 17,
	severityText: "Error",
	body: "cannot save {id}",
	attributes: {"exception.type": "System.IO.IOException", "exception.message": "disk full",
		"exception.stacktrace": "at Billing.Save()", event_id: 3, id: -5},
	spanContext: context("0af7651916cd43dd8448eb211c80319d", "00f067aa0ba902b8"),
}];

const spans = [{
	resource: {attributes: {"service.name": "checkout"}},
	name: "POST /pay",
	kind: 1,
	startTime: time("2026-07-01T12:34:56Z", 500000001),
	endTime: time("2026-07-01T12:34:56Z", 750000000),
	attributes: {"http.request.method": "POST", "db.system.name": "postgresql", amount: 1234},
	status: {code: 2, message: "no answer"},
	links: [{context: context("0af7651916cd43dd8448eb211c80319d", "00f067aa0ba902b8")},
		{context: context("ffffffffffffffffffffffffffffffff", "ffffffffffffffff")}],
	parentSpanContext: context("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b6"),
	spanContext: () => context("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"),
}, {
	resource: {attributes: {}},
	name: "idle",
	kind: 0,
	startTime: time("2026-07-01T12:34:58Z"),
	endTime: time("2026-07-01T12:34:59Z"),
	attributes: {},
	status: {code: 0},
	links: [],
	spanContext: () => context("0af7651916cd43dd8448eb211c80319e", "00f067aa0ba902b9"),
}];

const delta = (startTimeUnixNano, timeUnixNano) => ({startTimeUnixNano, timeUnixNano});
const metrics = {resourceMetrics: [{
	resource: {attributes: [{key: "service.name", value: {stringValue: "checkout"}}]},
	scopeMetrics: [{
		scope: {name: "shop"},
		metrics: [{name: "orders", unit: "{order}", sum: {
			aggregationTemporality: 1,
			isMonotonic: true,
			dataPoints: [{...delta("1782909290000000000", "1782909300000000000"), asInt: "5",
				attributes: [{key: "paid", value: {boolValue: true}}]}],
		}}, {name: "load", gauge: {
			dataPoints: [{timeUnixNano: "1782909300000000000", asDouble: 0.25},
				{timeUnixNano: "1782909300000000001", asDouble: 0.5}],
		}}],
	}],
}]};

// Attributes have no order. This machine and the process are added.
const byKey = (one, other) => (one.key < other.key ? -1 : 1);
const own = ["host.name", "process.pid"];

// A log without a body, and a span without a status, can have an empty one.
function known({body, status, ...item})
{
	return {...item, ...(body && Object.keys(body).length ? {body} : {}), ...(status?.code ? {status} : {})};
}

// Sets the resource and the scope beside each item.
function flat(message, resources, scopes, items)
{
	return message[resources].flatMap(({resource, [scopes]: list}) => list.flatMap(({scope, [items]: found}) =>
		found.map((item) => ({
			resource: resource.attributes.filter(({key, value}) => !own.includes(key) &&
				!(key === "service.name" && value.stringValue === "user-events")).sort(byKey),
			scope: scope.name,
			item: {...known(item), attributes: item.attributes.sort(byKey)},
		}))));
}

function same(what, url, wanted, resources, scopes, items)
{
	const order = (one, other) => (JSON.stringify(one.item) < JSON.stringify(other.item) ? -1 : 1);
	const expected = flat(definitions.whole(url, JSON.stringify(wanted)), resources, scopes, items).sort(order);
	const found = received[url].flatMap((content) =>
		flat(definitions.whole(url, content), resources, scopes, items)).sort(order);

	if (!isDeepStrictEqual(found, expected))
		problems.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

const complete = (item) => ({events: [], droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0,
	instrumentationScope: {name: item.scope ?? ""}, ...item});

function compare()
{
	const options = {useHex: true, useLongBits: false};

	same("logs", "/v1/logs", createExportLogsServiceRequest(logs.map(complete), options),
		"resourceLogs", "scopeLogs", "logRecords");
	same("spans", "/v1/traces", createExportTraceServiceRequest(spans.map(complete), options),
		"resourceSpans", "scopeSpans", "spans");
	if (!isDeepStrictEqual(received["/v1/metrics"].map((content) => definitions.whole("/v1/metrics", content)),
		[definitions.whole("/v1/metrics", JSON.stringify(metrics))]))
		problems.push("metrics differ");
}

function take({url, headers}, bytes)
{
	const isJson = headers["content-type"] === "application/json";

	if (isJson === (url === "/v1/metrics"))
		problems.push(`${url}: ${headers["content-type"]}`);
	if (isJson)
		problems.push(...definitions.problems(url, bytes.toString()));
	received[url].push(isJson ? bytes.toString() : bytes);
}

const server = http.createServer((request, response) => {
	const parts = [];

	request.on("data", (part) => parts.push(part));
	request.on("end", () => {
		take(request, Buffer.concat(parts));
		response.writeHead(200, {"Content-Type": "application/json"});
		response.end("{}");
	});
}).listen(0, "127.0.0.1", () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	const child = spawn(program, ["export", `--otlp=${url}`, `--read=${recording}`],
		{stdio: ["ignore", "ignore", "pipe"]});
	let text = "";

	child.stderr.on("data", (bytes) => (text += bytes));
	child.on("close", (status) => {
		if (status || !/: 4 records, 2 spans, 3 data points, 0 rejected, 0 not sent\n$/.test(text))
			problems.push(`exited with ${status}: ${text}`);
		else
			compare();
		problems.slice(0, 5).forEach((problem) => console.log(problem));
		process.exit(problems.length ? 1 : 0);
	});
});
