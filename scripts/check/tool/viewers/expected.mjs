// SPDX-License-Identifier: GPL-2.0-only
//
// What timeline viewers must show for records, as specified in
// user-events-decode(1) for the format "chrome". The records come from the JSON
// output of "user-events decode", one object per line; names of threads come
// from its text output.
import fs from "node:fs";

// Parses JSON with exact integers: those that a double cannot represent become
// a BigInt.
export function parseJson(text)
{
	const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	const mark = "\0integer ";
	const marked = text.replace(token, (found) => {
		if (!/^-?\d+$/.test(found) || Number.isSafeInteger(Number(found)))
			return found;
		return JSON.stringify(mark + found);
	});
	return JSON.parse(marked, (key, value) =>
		typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value);
}

const lines = (path) => fs.readFileSync(path, "utf8").split("\n").filter(Boolean);

// Returns the name of the thread in "0.000000000 [000] name/5/6 event ...",
// where unprintable characters are \n, \t, \xNN, \uNNNN or \UNNNNNNNN.
function threadName(line, record)
{
	const {pid, tid} = record.meta;
	const rest = line.slice(line.indexOf("] ") + 2);
	const ids = pid === tid ? `${pid} ` : `${pid}/${tid} `;
	if (rest.startsWith(ids))
		return undefined;
	return rest.slice(0, rest.indexOf(`/${ids}`))
		.replace(/\\n/g, "\n").replace(/\\t/g, "\t")
		.replace(/\\(?:x(..)|u(....)|U(.{8}))/g, (found, ...digits) =>
			String.fromCodePoint(parseInt(digits.slice(0, 3).find(Boolean), 16)));
}

// Time, process and thread of an event are not arguments. The fields in the line
// are, for Firefox Profiler, which shows no other member.
function argsOf(record, line)
{
	const {time, pid, tid, ...meta} = record.meta;
	const name = ` ${record.n} `;
	const at = line.indexOf(name);
	const detail = at < 0 || "detail" in record ? {} : {detail: line.slice(at + name.length)};
	return {...record, meta, ...detail};
}

const nanoseconds = (record) => Math.round(record.meta.time * 1e9);

class Timeline {
	constructor()
	{
		this.slices = [];
		this.instants = [];
		this.open = new Map();
		this.last = 0;
	}

	stack(key)
	{
		if (!this.open.has(key))
			this.open.set(key, []);
		return this.open.get(key);
	}

	add(record, line)
	{
		const {pid, tid, activity, opcode} = record.meta;
		const [category] = record.n.split(":", 1);
		const thread = this.stack(`thread ${pid} ${tid}`);
		const stack = activity ? this.stack(`activity ${category} ${activity}`) : thread;
		const begun = stack[stack.length - 1];
		const one = {name: record.n, category, pid, tid, start: nanoseconds(record), depth: thread.length,
			     args: argsOf(record, line)};

		this.last = Math.max(this.last, one.start);
		if (opcode === 1) {
			this.slices.push(one);
			stack.push(one);
			one.activity = activity?.replaceAll("-", "");
		} else if (opcode === 2 && begun?.category === category) {
			begun.end = one.start;
			begun.stop = one;
			stack.pop();
		} else {
			this.instants.push(one);
		}
	}
}

// Return: slices and instants, with times in nanoseconds, and the names of
// threads by "PID/TID"
export function expected(jsonPath, textPath)
{
	const timeline = new Timeline();
	const names = new Map();
	const texts = lines(textPath);
	for (const [i, line] of lines(jsonPath).entries()) {
		const record = parseJson(line);
		const name = threadName(texts[i], record);
		if (name !== undefined)
			names.set(`${record.meta.pid}/${record.meta.tid}`, name);
		timeline.add(record, texts[i]);
	}
	for (const slice of timeline.slices)
		slice.end ??= timeline.last;
	if (!timeline.slices.length || !timeline.instants.length)
		throw new Error("no slices or instants");
	return {slices: timeline.slices, instants: timeline.instants, names};
}

// Returns the same text for equal values, whatever the order of their members.
export function canonical(value)
{
	return JSON.stringify(value, (key, inner) => {
		if (typeof inner === "bigint")
			return `${inner}n`;
		if (inner && typeof inner === "object" && !Array.isArray(inner))
			return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
		return inner;
	});
}

// Counts equal values.
function counted(values)
{
	const counts = new Map();
	for (const text of values.map(canonical))
		counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

// Prints differences. Return: whether there were none
export function same(what, wanted, shown)
{
	const left = counted(shown);
	const messages = [];
	for (const [text, count] of counted(wanted)) {
		const found = left.get(text) ?? 0;
		if (found < count)
			messages.push(`missing: ${what} ${text}`);
		left.set(text, found - count);
	}
	for (const [text, count] of left)
		if (count > 0)
			messages.push(`unexpected: ${what} ${text}`);
	messages.forEach((line) => console.log(line));
	return !messages.length;
}
