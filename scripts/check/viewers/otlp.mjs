// SPDX-License-Identifier: GPL-2.0-only
//
//	node otlp.mjs DEFINITIONS PROGRAM RECORDING JSON LATENCY
//
// Receives what PROGRAM sends of RECORDING with OTLP, and tests each message with
// OpenTelemetry's own definitions, in the directory DEFINITIONS: every member has
// a name and a type that is defined. Compares the messages with the records in
// JSON, one object per line, and the object in LATENCY. Prints differences; exits
// with 0 if there are none.
import {spawn} from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import {createRequire} from "node:module";
import path from "node:path";
import {isDeepStrictEqual} from "node:util";
import {parseJson, same} from "./expected.mjs";

const [definitions, program, recording, jsonPath, latencyPath] = process.argv.slice(2);
const require = createRequire(path.resolve(definitions, "index.js"));
const protobuf = require("protobufjs/minimal");
protobuf.util.Long = require("long");
protobuf.configure();
const {collector} = require("./root.js").opentelemetry.proto;
const types = {
	"/v1/logs": collector.logs.v1.ExportLogsServiceRequest,
	"/v1/traces": collector.trace.v1.ExportTraceServiceRequest,
};
const received = {"/v1/logs": [], "/v1/traces": []};
const problems = [];

// JSON of OTLP has IDs in hexadecimal, other JSON of Protobuf in base64.
function normal(key, value)
{
	if (/^(trace|span)Id$/.test(key))
		return Buffer.from(value, "hex").toString("base64");
	return Array.isArray(value) && !value.length ? undefined : value;
}

// Conversion to a message drops unknown members, and converts types.
function test(url, text)
{
	const type = types[url];
	const given = JSON.parse(text, normal);
	const message = type.fromObject(given);
	const problem = type.verify(message);
	const known = type.toObject(type.decode(type.encode(message).finish()),
		{longs: String, bytes: String, enums: Number});

	if (problem)
		problems.push(problem);
	if (!isDeepStrictEqual(known, given))
		problems.push(`${url}: not as defined: ${JSON.stringify(known)} instead of ${JSON.stringify(given)}`);
	received[url].push(JSON.parse(text));
}

function answer(request, response)
{
	let text = "";

	request.setEncoding("utf8");
	request.on("data", (part) => (text += part));
	request.on("end", () => {
		try {
			test(request.url, text);
			response.writeHead(200, {"Content-Type": "application/json"});
			response.end("{}");
		} catch (error) {
			problems.push(`${request.url}: ${error.message}`);
			response.writeHead(400);
			response.end();
		}
	});
}

function run(port)
{
	return new Promise((resolve) => {
		const child = spawn(program, ["export", `--otlp=http://127.0.0.1:${port}`, `--read=${recording}`],
			{stdio: ["ignore", "ignore", "pipe"]});
		let text = "";

		child.stderr.on("data", (bytes) => (text += bytes));
		child.on("close", (status) => {
			if (status)
				problems.push(`exited with ${status}: ${text}`);
			resolve();
		});
	});
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

const server = http.createServer(answer).listen(0, "127.0.0.1", async () => {
	await run(server.address().port);
	const good = !problems.length && compare();
	problems.slice(0, 5).forEach((problem) => console.log(problem));
	process.exit(good ? 0 : 1);
});
