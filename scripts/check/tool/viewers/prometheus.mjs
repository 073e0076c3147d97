// SPDX-License-Identifier: GPL-2.0-only
//
//	node prometheus.mjs DIRECTORY PROGRAM RECORDING JSON LATENCY
//
// Has Debian's Prometheus read the numbers that PROGRAM serves for RECORDING,
// and compares the answers of Prometheus with the records in JSON, one object
// per line, and the object in LATENCY. Meanwhile, clients that never end their
// request are connected. DIRECTORY is empty. Prints differences; exits with 0 if
// there are none.
import {spawn} from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import {parseJson, same} from "./expected.mjs";

const [directory, program, recording, jsonPath, latencyPath] = process.argv.slice(2);
const SECONDS = 120;
const SLOW_CLIENTS = 70;
const processes = [];

// Returns what a program prints, once a test of that returns something.
function start(name, args, test)
{
	const child = spawn(name, args, {stdio: ["ignore", "ignore", "pipe"]});
	let text = "";

	processes.push(child);
	return new Promise((resolve, reject) => {
		child.on("exit", (status) => reject(new Error(`${name} has exited with ${status}: ${text}`)));
		child.stderr.on("data", (bytes) => {
			text += bytes;
			const found = test(text);
			if (found)
				resolve(found);
		});
	});
}

function freePort()
{
	return new Promise((resolve) => {
		const server = net.createServer().listen(0, "127.0.0.1", () => {
			const {port} = server.address();
			server.close(() => resolve(port));
		});
	});
}

// They are connected again when the program has closed the connection.
function connectSlowly(port)
{
	const socket = net.connect(port, "127.0.0.1", () => socket.write("G"));

	socket.on("error", () => undefined);
	socket.on("close", () => setTimeout(() => connectSlowly(port), 1000).unref());
	socket.unref();
}

async function startPrometheus(target)
{
	const config = path.join(directory, "prometheus.yml");
	const port = await freePort();

	fs.writeFileSync(config, JSON.stringify({
		global: {scrape_interval: "1s"},
		scrape_configs: [{job_name: "user-events", static_configs: [{targets: [`127.0.0.1:${target}`]}]}],
	}));
	await start("prometheus", [`--config.file=${config}`, `--storage.tsdb.path=${path.join(directory, "data")}`,
		`--web.listen-address=127.0.0.1:${port}`], (text) => /Server is ready/.test(text));
	return port;
}

// Returns rows of labels and a number.
async function query(port, expression)
{
	const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
	const {data, error} = await (await fetch(url)).json();
	if (error)
		throw new Error(error);
	return data.result.map(({metric, value}) => ({...metric, value: value[1]}));
}

async function waitForScrape(port)
{
	while (!(await query(port, "user_events_records_total")).length)
		await new Promise((resolve) => setTimeout(resolve, 200));
	const [{value}] = await query(port, "up");
	if (value !== "1")
		throw new Error("the target is not up");
}

function countsOf(records)
{
	const counts = new Map();
	for (const {n} of records) {
		const event = n.includes(":") ? n : `user_events:${n}`;
		counts.set(event, (counts.get(event) ?? 0) + 1);
	}
	return [...counts].map(([event, value]) => ({event, value: String(value)}));
}

async function compare(port)
{
	const records = fs.readFileSync(jsonPath, "utf8").split("\n").filter(Boolean).map(parseJson);
	const {latencies, lost, stops_without_start: stops} = JSON.parse(fs.readFileSync(latencyPath, "utf8"));
	const events = (await query(port, "user_events_records_total")).map(({event, value}) => ({event, value}));
	const shown = async (suffix) => (await query(port, `user_events_latency_seconds_${suffix}`))
		.map(({start: name, value}) => ({name, value: Number(value)}));
	const all = await query(port, "{__name__=~\"user_events_(lost_records|unmatched_stops)_total\"}");

	return [same("event", countsOf(records), events),
		same("count", latencies.map(({name, count}) => ({name, value: count})), await shown("count")),
		same("sum", latencies.map(({name, sum}) => ({name, value: sum / 1e9})), await shown("sum")),
		same("infinite bucket", latencies.map(({name, count}) => ({name, value: count})),
		     await shown("bucket{le=\"+Inf\"}")),
		same("total", [lost, stops], all.sort((one, other) => (one.__name__ < other.__name__ ? -1 : 1))
			.map(({value}) => Number(value)))].every(Boolean);
}

const timer = setTimeout(() => {
	console.log(`timeout after ${SECONDS} seconds`);
	processes.forEach((child) => child.kill("SIGKILL"));
	process.exit(1);
}, SECONDS * 1000);
let good = false;
try {
	const target = await start(program, ["export", "--prometheus=localhost:0", `--read=${recording}`],
				   (text) => /on port (\d+)/.exec(text)?.[1]);
	for (let i = 0; i < SLOW_CLIENTS; i++)
		connectSlowly(target);
	const port = await startPrometheus(target);
	await waitForScrape(port);
	good = await compare(port);
} catch (error) {
	console.log(error.message);
}
clearTimeout(timer);
processes.forEach((child) => {
	child.removeAllListeners("exit");
	child.kill();
});
process.exit(good ? 0 : 1);
