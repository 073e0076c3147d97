// SPDX-License-Identifier: GPL-2.0-only
//
//	node perfetto.mjs DIRECTORY TRACE JSON TEXT	compares what Perfetto shows
//	node perfetto.mjs DIRECTORY --packets TRACE JSON TEXT
//			the same of a trace in its own format
//	node perfetto.mjs DIRECTORY --kernel DEFINITIONS
//			expects that events of ftrace are slices and counters;
//			DEFINITIONS has lines "NAME TYPE FIELD; TYPE FIELD"
//	node perfetto.mjs DIRECTORY --refuse TRACE	expects an error
//
// DIRECTORY contains Perfetto's trace processor as WebAssembly and its
// JavaScript interface. Prints differences from the records in JSON and TEXT;
// exits with 0 if there are none.
import fs from "node:fs";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {expected, same} from "./expected.mjs";

const [directory, ...args] = process.argv.slice(2);

// The bundle expects a web worker. This emulates the used parts, with files
// instead of URLs, and reports that 64-bit memory is not supported, since only
// the other build is available.
function startWorker()
{
	const file = (name) => fs.readFileSync(path.join(directory, path.basename(name)));
	const worker = {location: {href: pathToFileURL(`${path.resolve(directory)}/`).href}};
	const memorySection = 5;
	const said = [];
	const environment = {
		self: worker,
		WorkerGlobalScope: class {},
		XMLHttpRequest: class {
			open(method, url)
			{
				this.url = url;
			}
			send()
			{
				this.response = new Uint8Array(file(this.url)).buffer;
			}
		},
		WebAssembly: Object.create(WebAssembly, {
			Module: {
				value: function (bytes) {
					if (new Uint8Array(bytes)[8] === memorySection)
						throw new Error("not supported");
					return new WebAssembly.Module(bytes);
				},
			},
		}),
		console: Object.fromEntries(["log", "warn", "error"].map((kind) => [kind, (line) => said.push(line)])),
	};

	new Function(...Object.keys(environment), String(file("engine_bundle.node.js")))(...Object.values(environment));
	return {worker, said};
}

async function startEngine()
{
	const {EngineBase} = await import(pathToFileURL(path.resolve(directory, "engine.mjs")));
	const channel = new MessageChannel();
	const {worker} = startWorker();

	class Engine extends EngineBase {
		constructor()
		{
			super();
			this.id = "viewer";
			channel.port2.onmessage = (message) => this.onRpcResponseBytes(message.data);
		}
		rpcSendRequestBytes(bytes)
		{
			channel.port2.postMessage(bytes);
		}
	}
	worker.onmessage({data: channel.port1});
	return new Engine();
}

async function load(engine, trace)
{
	await engine.parse(fs.readFileSync(trace));
	await engine.notifyEof();
}

// Runs a query and returns each row as an object.
async function query(engine, sql)
{
	const result = await engine.query(sql);
	const columns = result.columns();
	const rows = [];
	for (const at = result.iter({}); at.valid(); at.next())
		rows.push(Object.fromEntries(columns.map((name) => [name, at.get(name)])));
	return rows;
}

// Returns arguments as Perfetto flattens them, "args.list[0]" and so on, with
// strings, signed 64-bit integers, and doubles. Other values are converted, see
// user-events-decode(1).
function flat(value, key, all = {})
{
	if (Array.isArray(value))
		value.forEach((one, i) => flat(one, `${key}[${i}]`, all));
	else if (value && typeof value === "object")
		Object.entries(value).forEach(([name, one]) => flat(one, `${key}.${name}`, all));
	else if (typeof value === "bigint")
		all[key] = BigInt.asIntN(64, value) === value ? `integer ${value}` : Number(BigInt.asIntN(64, value));
	else if (Number.isInteger(value))
		all[key] = `integer ${value}`;
	else
		all[key] = value;
	return all;
}

function wantedOf(one)
{
	const end = one.end ?? one.start;
	const place = one.activity ? "args.stop" : "args.data.stop";
	const stopped = one.stop ? flat(one.stop.args, place) : {};
	const thread = one.activity ? {} : {pid: one.pid, tid: one.tid, depth: one.depth};
	return {name: one.name, category: one.category, start: one.start, duration: end - one.start, ...thread,
		args: {...flat(one.args, "args.data"), ...stopped}};
}

// Returns arguments as annotations have them: numbers in hexadecimal and booleans
// are integers, and characters of names that separate others are underscores.
function annotated(value)
{
	if (Array.isArray(value))
		return value.map(annotated);
	if (value && typeof value === "object")
		return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)
			.map(([name, one]) => [name.replace(/[.[\]]/g, "_"), annotated(one)]));
	if (typeof value === "boolean")
		return Number(value);
	if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)
		return String(value);
	if (/^0x[0-9A-F]+$/.test(value))
		return BigInt(value);
	return value;
}

// A record without its name and the text of its fields
function packetArgs({n, detail, ...args})
{
	return args;
}

// The field a.b[0] of the records is a double. A slice without a stop does not
// end.
function wantedPacket(one)
{
	const {end, stop} = one;
	const duration = end === undefined ? 0 : stop ? end - one.start : -1;
	const args = {...packetArgs(one.args), ...(stop && {stop: packetArgs(stop.args)})};
	const wanted = flat(annotated(args), "debug");
	for (const [key, from] of [["debug.a_b_0_", one.args], ["debug.stop.a_b_0_", stop?.args]])
		if (key in wanted)
			wanted[key] = Number(from["a.b[0]"]);
	return {...wantedOf(one), duration, args: wanted};
}

async function argsById(engine, prefix)
{
	const sets = new Map();
	for (const row of await query(engine, `select * from args where flat_key glob '${prefix}.*'`)) {
		if (!sets.has(row.arg_set_id))
			sets.set(row.arg_set_id, {});
		const integer = row.int_value === null ? null : `integer ${row.int_value}`;
		sets.get(row.arg_set_id)[row.key] = row.string_value ?? integer ?? row.real_value;
	}
	return sets;
}

async function shownSlices(engine, prefix)
{
	const sets = await argsById(engine, prefix);
	const rows = await query(engine, `
		select slice.name, slice.category, slice.ts, slice.dur, slice.depth, slice.arg_set_id, thread.tid, process.pid
		from slice
		left join thread_track on slice.track_id = thread_track.id
		left join thread using (utid)
		left join process using (upid)`);
	return rows.map((row) => {
		const thread = row.tid === null ? {} :
			{pid: Number(row.pid), tid: Number(row.tid), depth: Number(row.depth)};
		return {name: row.name, category: row.category, start: Number(row.ts), duration: Number(row.dur), ...thread,
			args: sets.get(row.arg_set_id)};
	});
}

async function shownNames(engine)
{
	const rows = await query(engine, `select pid, tid, thread.name, process.name as process
		from thread join process using (upid) where thread.name is not null`);
	return rows.map((row) => ({pid: Number(row.pid), tid: Number(row.tid), name: row.name, process: row.process}));
}

async function compare([trace, json, text], isPackets)
{
	const {slices, instants, names} = expected(json, text);
	const wantedSlices = [...slices, ...instants].map(isPackets ? wantedPacket : wantedOf);
	const engine = await startEngine();
	await load(engine, trace);

	const wanted = [...names].map(([key, name]) => {
		const [pid, tid] = key.split("/").map(Number);
		return {pid, tid, name, process: names.get(`${pid}/${pid}`) ?? null};
	});
	const errors = await query(engine, "select name from stats where severity != 'info' and value > 0");
	errors.forEach((row) => console.log(`Perfetto counts ${row.name}`));
	// Perfetto has a name of its own for the idle thread.
	const shownThreads = (await shownNames(engine)).filter(({tid, name}) => tid || name !== "swapper" || names.has("0/0"));
	return [same("slice", wantedSlices, await shownSlices(engine, isPackets ? "debug" : "args")),
		same("thread", wanted, shownThreads), !errors.length].every(Boolean);
}

/* Traces of ftrace as Perfetto records them; numbers are those of its definitions */

function varint(number)
{
	const bytes = [];
	let rest = BigInt.asUintN(64, BigInt(number));
	for (; rest >> 7n; rest >>= 7n)
		bytes.push(Number(rest & 0x7fn) | 0x80);
	return [...bytes, Number(rest)];
}

// Returns a field of a message: a number, a text, or the bytes of a message.
function field(id, value)
{
	if (typeof value !== "string" && !Array.isArray(value))
		return [...varint(id << 3), ...varint(value)];
	const bytes = typeof value === "string" ? [...Buffer.from(value)] : value;
	return [...varint(id << 3 | 2), ...varint(bytes.length), ...bytes];
}

// The recorder takes the type of a field from its size and sign.
const protoTypes = new Map([["s32", 5], ["u32", 13], ["s64", 3], ["u64", 4], ["__data_loc char[]", 9]]);
const firstEvent = 65536;

function parseDefinition(line, index)
{
	const space = line.indexOf(" ");
	const fields = line.slice(space + 1).split("; ").map((text) => {
		const at = text.lastIndexOf(" ");
		return {name: text.slice(at + 1), type: protoTypes.get(text.slice(0, at))};
	});
	return {id: firstEvent + index, name: line.slice(0, space), fields};
}

function descriptor({id, name, fields})
{
	const members = fields.flatMap((one, i) =>
		field(2, [...field(1, one.name), ...field(3, i + 1), ...field(4, 1), ...field(5, one.type)]));
	return field(11, [...field(1, id), ...field(2, [...field(1, name), ...members])]);
}

function kernelTrace(definitions, records)
{
	const events = records.map(({time, tid, event, ...values}) => {
		const {id, fields} = definitions.find(({name}) => name === event);
		const payload = fields.flatMap(({name}, i) => field(i + 1, values[name]));
		return field(2, [...field(1, time), ...field(2, tid), ...field(id, payload)]);
	});
	const packet = (bundle) => field(1, [...field(1, [...field(1, 0), ...bundle]), ...field(10, 1)]);
	return Uint8Array.from([...packet(definitions.flatMap(descriptor)), ...packet(events.flat())]);
}

// Writes what the macros write, and compares it with what Perfetto shows.
async function compareKernel(path)
{
	const definitions = fs.readFileSync(path, "utf8").trim().split("\n").map(parseDefinition);
	const slice = (time, tid, type, name) =>
		({time, tid, event: "track_slice", track_event_type: type.charCodeAt(0), slice_name: name});
	const counter = (time, tid, value, name) =>
		({time, tid, event: "track_counter", counter_value: value, track_name: name});
	const engine = await startEngine();
	await engine.parse(kernelTrace(definitions, [
		slice(1001, 5, "B", "outer"), slice(2002, 5, "B", "inner"), slice(2500, 6, "I", "now"),
		slice(3003, 5, "E", ""), slice(5005, 5, "E", ""), counter(6006, 5, -7, "queue"), counter(7007, 5, 8, "queue"),
	]));
	await engine.notifyEof();
	const slices = await query(engine, `select slice.name, ts, dur, depth, tid from slice
		join thread_track on slice.track_id = thread_track.id join thread using (utid)`);
	const values = await query(engine, `select track.name, ts, value, tid from counter
		join thread_counter_track as track on counter.track_id = track.id join thread using (utid)`);
	const numbers = (rows) => rows.map((row) => Object.fromEntries(
		Object.entries(row).map(([key, value]) => [key, typeof value === "bigint" ? Number(value) : value])));
	return [same("slice", [
		{name: "outer", ts: 1001, dur: 4004, depth: 0, tid: 5}, {name: "inner", ts: 2002, dur: 1001, depth: 1, tid: 5},
		{name: "now", ts: 2500, dur: 0, depth: 0, tid: 6},
	], numbers(slices)), same("value", [
		{name: "queue", ts: 6006, value: -7, tid: 5}, {name: "queue", ts: 7007, value: 8, tid: 5},
	], numbers(values))].every(Boolean);
}

async function refuse(trace)
{
	const engine = await startEngine();
	try {
		await load(engine, trace);
	} catch {
		return true;
	}
	console.log(`accepted, with ${(await shownSlices(engine, "args")).length} slices`);
	return false;
}

// Ignores warnings of the package about unknown parts of queries.
console.warn = () => {};
const modes = {
	"--refuse": ([trace]) => refuse(trace),
	"--packets": (rest) => compare(rest, true),
	"--kernel": ([definitions]) => compareKernel(definitions),
};
const mode = modes[args[0]];
process.exit((mode ? await mode(args.slice(1)) : await compare(args)) ? 0 : 1);
