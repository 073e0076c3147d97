// SPDX-License-Identifier: GPL-2.0-only
//
//	node otlp.mjs DEFINITIONS PROGRAM RECORDING JSON LATENCY [KEYS]
//
// Receives what PROGRAM sends of RECORDING with OTLP, and tests each message with
// OpenTelemetry's own definitions, in the directory DEFINITIONS: every member has
// a name and a type that is defined. Compares the messages with the records in
// JSON, one object per line, and the object in LATENCY. Prints differences; exits
// with 0 if there are none.
//
// With the directory KEYS, the server has the private key key.pem and the
// certificate cert.pem, and messages must be compressed and have headers.
// PROGRAM must refuse the server if it is to trust other.pem only.
import {spawn} from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import path from "node:path";
import zlib from "node:zlib";
import {parseJson, same} from "./expected.mjs";
import {Definitions} from "./otlp-definitions.mjs";

const [directory, program, recording, jsonPath, latencyPath, keys] = process.argv.slice(2);
const definitions = new Definitions(directory);
const received = {"/v1/logs": [], "/v1/traces": []};
const problems = [];

function test(url, text)
{
	problems.push(...definitions.problems(url, text));
	received[url].push(JSON.parse(text));
}

// Tests the headers, and returns the text.
function textOf({headers}, bytes)
{
	if (!keys)
		return bytes.toString();
	for (const [name, value] of Object.entries({"authorization": "Bearer 1=2", "x-first": "a b,c", "x-second": "2"}))
		if (headers[name] !== value)
			problems.push(`${name}: ${headers[name]} instead of ${value}`);
	if (headers["content-encoding"] !== "gzip")
		problems.push(`not compressed: ${headers["content-encoding"]}`);
	return zlib.gunzipSync(bytes).toString();
}

function answer(request, response)
{
	const parts = [];

	request.on("data", (part) => parts.push(part));
	request.on("end", () => {
		try {
			test(request.url, textOf(request, Buffer.concat(parts)));
			response.writeHead(200, {"Content-Type": "application/json"});
			response.end("{}");
		} catch (error) {
			problems.push(`${request.url}: ${error.message}`);
			response.writeHead(400);
			response.end();
		}
	});
}

// Exits of the program, and what it has printed
function run(url, certificate)
{
	const tls = keys && {
		OTEL_EXPORTER_OTLP_CERTIFICATE: path.join(keys, certificate),
		OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
		OTEL_EXPORTER_OTLP_HEADERS: "x-first=a%20b%2Cc, x-second = 2",
	};

	return new Promise((resolve) => {
		const child = spawn(program, ["export", `--otlp=${url}`, `--read=${recording}`,
			...(keys ? ["--otlp-header=Authorization=Bearer 1=2"] : [])],
			{stdio: ["ignore", "ignore", "pipe"], env: {...process.env, ...tls}});
		let text = "";

		child.stderr.on("data", (bytes) => (text += bytes));
		child.on("close", (status) => resolve({status, text}));
	});
}

async function send(url)
{
	const {status, text} = await run(url, "cert.pem");

	if (status)
		problems.push(`exited with ${status}: ${text}`);
}

// Sends nothing, counts all records, and tells the reason.
async function refuse(url)
{
	const {status, text} = await run(url, "other.pem");

	if (status !== 4 || !/certificate/.test(text) || !/ 0 records, .* [1-9]\d* not sent$/m.test(text))
		problems.push(`exited with ${status}: ${text}`);
	if (Object.values(received).some(({length}) => length))
		problems.push("received messages in spite of the certificate");
}

const attribute = ({attributes}, name) => Object.values(attributes.find(({key}) => key === name)?.value ?? {})[0];

// Sets times relative to the first, because JSON has those of another clock.
function relative(records)
{
	const [{time: first}] = records;

	return records.map(({time, ...rest}) => ({...rest, time: String(time - first)}));
}

// Counts of a name and sums of a number
function totals(items)
{
	const found = new Map();
	for (const [name, number] of items) {
		const {count, sum} = found.get(name) ?? {count: 0, sum: 0};
		found.set(name, {name, count: count + 1, sum: sum + number});
	}
	return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function compare()
{
	const logs = received["/v1/logs"].flatMap(({resourceLogs: [{scopeLogs: [{logRecords}]}]}) => logRecords);
	const spans = received["/v1/traces"].flatMap(({resourceSpans: [{scopeSpans: [scope]}]}) => scope.spans);
	const records = fs.readFileSync(jsonPath, "utf8").split("\n").filter(Boolean).map(parseJson);
	const {latencies} = JSON.parse(fs.readFileSync(latencyPath, "utf8"));
	const wanted = records.map(({n, meta}) => ({
		event: n.includes(":") ? n : `user_events:${n}`,
		time: BigInt(Math.round(meta.time * 1e9)),
		tid: String(meta.tid),
		trace: meta.activity?.replaceAll("-", "").toLowerCase(),
	}));
	const found = logs.map((log) => ({
		event: attribute(log, "event.name"),
		time: BigInt(log.timeUnixNano),
		tid: attribute(log, "thread.id"),
		trace: log.traceId,
	}));
	const durations = spans.map(({name, startTimeUnixNano: start, endTimeUnixNano: end}) =>
		[name, Number(BigInt(end) - BigInt(start))]);

	return [same("record", relative(wanted), relative(found)),
		same("span", latencies.map(({name, count, sum}) => ({name, count, sum}))
			.sort((one, other) => (one.name < other.name ? -1 : 1)), totals(durations))].every(Boolean);
}

const read = (name) => fs.readFileSync(path.join(keys, name));
const created = keys ? https.createServer({key: read("key.pem"), cert: read("cert.pem")}, answer)
	: http.createServer(answer);
const server = created.listen(0, "127.0.0.1", async () => {
	const url = `${keys ? "https" : "http"}://127.0.0.1:${server.address().port}`;

	if (keys)
		await refuse(url);
	await send(url);
	const good = !problems.length && compare();
	problems.slice(0, 5).forEach((problem) => console.log(problem));
	process.exit(good ? 0 : 1);
});
