// SPDX-License-Identifier: MIT
//
// The page of "user-events report". Texts of records are hostile: they become
// text nodes only.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

const RANKS = 8; // events with a color of their own
const GUTTER = 190; // for labels, in pixels
const ROW = 22; // height of a row of the table
const LANE = 16; // height of ticks, and of each level of bars below
const BAR = 13;
const LEVELS = 12; // of bars in a lane
const COLUMNS = 256; // of rates in a part of the time
const PRINTED = 4000; // maximum height of the timeline on paper

const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a7bd1", "#a3a500"];
const OTHER = "#8b949e";

const span = Math.max(data.span, 1);
const view = {from: 0, to: span};
let cursor = null; // the time of the chosen record

const element = (id) => document.getElementById(id);
const last = (list) => list[list.length - 1];
// Groups of all others are last and have any higher number.
const groupOf = (list, i) => list[Math.min(i, list.length - 1)];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

function create(tag, text = "", name = "")
{
	const made = document.createElement(tag);
	made.textContent = text;
	made.className = name;
	return made;
}

/* Records */

const rows = data.rows.map(([time, cpu, thread, event, fields]) => ({time, cpu, thread, event, fields}));
rows.sort((one, other) => one.time - other.time);
const eventNames = data.events.map(([name]) => (name === null ? "(other)" : name));
const threads = data.threads.map(([pid, tid, comm, count]) =>
	({pid, tid, comm: comm === null ? "(other)" : comm, count}));
const latencyNames = data.latencies.map(({name}) => (name === null ? "(other)" : name));

const shownThreads = new Set(rows.map((row) => Math.min(row.thread, threads.length - 1)));

const eventName = (row) => groupOf(eventNames, row.event);

function threadName({pid, tid, comm})
{
	return `${comm ? `${comm}/` : ""}${pid}${tid === pid ? "" : `/${tid}`}`;
}

// Returns the index of the first row at or after a time.
function firstAt(list, time)
{
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Colors by number of records
const ranks = new Map(data.events.slice(0, -1).map(([, count], i) => [i, count])
	.sort(([, one], [, other]) => other - one).slice(0, RANKS).map(([i], rank) => [i, rank]));
const colorOfEvent = (event) => COLORS[ranks.get(event)] ?? OTHER;
const colorOfName = (name) => COLORS[name % COLORS.length];

/* Texts */

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const digits = new Intl.NumberFormat("en");
const count = (number) => digits.format(number);

function duration(time)
{
	for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]])
		if (time >= size)
			return `${Number((time / size).toPrecision(4))} ${unit}`;
	return `${Math.round(time)} ns`;
}

function dateOf(time)
{
	const wall = BigInt(data.start) + BigInt(Math.round(time));
	if (!data.has_date)
		return `${wall / 1000000000n}.${String(wall % 1000000000n).padStart(9, "0")} s`;
	const date = new Date(Number(wall / 1000000n));
	const text = Number.isNaN(date.getTime()) ? String(wall) : date.toISOString();
	return text.replace(/\.\d+Z$/, `.${String(wall % 1000000000n).padStart(9, "0")}Z`);
}

const clockOf = (time) => dateOf(time).replace(/^.*T/, "");

function describe(row)
{
	return `${dateOf(row.time)}\n${threadName(groupOf(threads, row.thread))}` +
		`${row.cpu < 0 ? "" : `, CPU ${row.cpu}`}\n${eventName(row)}\n${row.fields}`;
}

/* Summary */

function showFacts()
{
	const pids = new Set(threads.filter((thread) => thread.count).map(({pid}) => pid));
	const facts = [["Start", dateOf(0)], ["Duration", duration(data.span)], ["Records", count(data.records)],
		["Lost", count(data.lost), data.lost], ["Malformed", count(data.malformed), data.malformed],
		["Events", count(data.events.filter(([, number]) => number).length)], ["Processes", count(pids.size)]];
	for (const [name, value, isBad] of facts) {
		const fact = create("div");
		fact.append(create("dt", name), create("dd", value, isBad ? "bad" : ""));
		element("facts").append(fact);
	}
	element("title").textContent = data.file;
	document.title = `${data.file} – user-events report`;
	element("footer").textContent = `Written by user-events ${data.version}. ${data.has_date ? "Times are in UTC." : "Times are those of the file's clock."}`;
}

// Rows of a sample, which has a part of each thread and event, and all rare ones
const isSample = rows.length < data.records;
const pairs = sum(data.latencies.map((latency) => latency.count));

function sampleNote()
{
	const parts = [isSample && `${count(rows.length)} of ${count(data.records)} records`,
		data.bars.length < pairs && `${count(data.bars.length)} of ${count(pairs)} pairs of start and stop`];
	const missing = threads.filter((thread, i) => thread.count && !shownThreads.has(i)).length;
	if (!parts.some(Boolean))
		return "";
	return `The timeline and the table are a sample: ${parts.filter(Boolean).join(" and ")}. ` +
		"Each thread and event has its share, and rare ones have all of their records. " +
		`${missing ? `${count(missing)} threads have none. ` : ""}` +
		"Numbers, rates and latencies are of all records. To see all records, " +
		`${data.full_size ? `use --max-size=${Math.floor(data.full_size / 2 ** 20) + 1}M or ` : ""}` +
		"select fewer with --since, --until, --pid, --event or --where.";
}

// Events and reasons of lost records
function lossNote()
{
	const losses = data.losses.filter(([, number]) => number)
		.map(([name, number]) => `${count(number)} ${name ?? "(other)"}`);
	return `${count(data.lost)} records were lost: ${losses.join(", ")}. ` +
		"The timeline shows when they were found to be lost.";
}

function showNotes()
{
	const notes = [sampleNote(),
		data.lost && lossNote(),
		data.starts_without_stop && `${count(data.starts_without_stop)} starts have no stop.`,
		data.stops_without_start && `${count(data.stops_without_start)} stops have no start.`,
		data.evicted && `${count(data.evicted)} starts were dropped for newer ones.`,
		last(data.events)[1] && `${count(last(data.events)[1])} records of further events are counted as (other).`,
		last(data.threads)[3] && `${count(last(data.threads)[3])} records of further threads are counted as (other).`];
	notes.filter(Boolean).forEach((note) => element("notes").append(create("li", note)));
}

/* Drawing */

// Paper is white in all color schemes.
const isPrinted = () => document.documentElement.classList.contains("printed");

// Returns a context in pixels of the page.
function start(canvas, height)
{
	const ratio = isPrinted() ? 2 : window.devicePixelRatio || 1;
	// Before the width is read, because the height can need a scroll bar.
	canvas.style.height = `${height}px`;
	const width = canvas.clientWidth;
	canvas.width = width * ratio;
	canvas.height = height * ratio;
	const context = canvas.getContext("2d");
	context.scale(ratio, ratio);
	context.font = "11px system-ui, sans-serif";
	context.textBaseline = "middle";
	return {context, width, height};
}

const xOf = (time, width) => GUTTER + (time - view.from) / (view.to - view.from) * (width - GUTTER);
const timeAt = (x, width) => view.from + (x - GUTTER) / (width - GUTTER) * (view.to - view.from);

// Returns 1, 2 or 5 times a power of ten.
function niceStep(size)
{
	const power = 10 ** Math.floor(Math.log10(size));
	return [1, 2, 5, 10].find((step) => step * power >= size) * power;
}

function drawAxis(context, width, height)
{
	const step = niceStep((view.to - view.from) / 8);
	context.textAlign = "left";
	for (let tick = Math.ceil(view.from / step) * step; tick < view.to; tick += step) {
		const x = Math.round(xOf(tick, width)) + .5;
		context.fillStyle = color("--line");
		context.fillRect(x, 0, 1, height);
		context.fillStyle = color("--faint");
		context.fillText(`+${duration(tick)}`, x + 4, 8);
	}
}

function drawText(context, text, x, y, room)
{
	let shown = text;
	while (shown.length > 1 && context.measureText(shown).width > room)
		shown = `${shown.slice(0, Math.min(shown.length - 2, Math.ceil(shown.length * .8)))}…`;
	context.fillText(shown, x, y);
}

function drawCursor(context, width, height)
{
	if (cursor === null || cursor < view.from || cursor > view.to)
		return;
	context.fillStyle = color("--mark");
	context.fillRect(xOf(cursor, width), 0, 1, height);
}

/* Rates */

const rankOf = (event) => ranks.get(event) ?? RANKS;

// Exact numbers of the whole time
function allRates()
{
	const columns = data.rates[0].map(() => new Float64Array(RANKS + 1));
	data.rates.slice(1).forEach((numbers, event) => numbers.forEach((number, i) => {
		columns[i][rankOf(event)] += number;
	}));
	return {begin: 0, size: data.width, columns};
}

// Numbers of a part of the time, if the page has all records
function partRates()
{
	const size = (view.to - view.from) / COLUMNS;
	const columns = Array.from({length: COLUMNS}, () => new Float64Array(RANKS + 1));
	for (let i = firstAt(rows, view.from); i < rows.length && rows[i].time < view.to; i++)
		columns[Math.min(Math.floor((rows[i].time - view.from) / size), COLUMNS - 1)][rankOf(rows[i].event)]++;
	return {begin: view.from, size, columns};
}

const isWhole = () => view.from === 0 && view.to === span;

function drawLosses(context, width)
{
	context.fillStyle = color("--mark");
	data.rates[0].forEach((lost, i) => {
		const from = Math.max(xOf(i * data.width, width), GUTTER);
		const to = xOf((i + 1) * data.width, width);
		if (lost && to > GUTTER && from < width)
			context.fillRect(from, 16, Math.max(to - from, 2), 6);
	});
}

function drawRates()
{
	const {context, width, height} = start(element("rates"), 150);
	const {begin, size, columns} = isWhole() || isSample ? allRates() : partRates();
	const most = Math.max(1, ...columns.filter((column, i) => begin + (i + 1) * size > view.from && begin + i * size < view.to)
		.map(sum));
	const room = height - 26;

	drawAxis(context, width, height);
	columns.forEach((column, i) => {
		const left = xOf(begin + i * size, width), right = xOf(begin + (i + 1) * size, width);
		let bottom = height;
		column.forEach((number, rank) => {
			const high = number / most * room;
			context.fillStyle = COLORS[rank] ?? OTHER;
			context.fillRect(left, bottom - high, Math.max(right - left - .2, .8), high);
			bottom -= high;
		});
	});
	context.clearRect(0, 0, GUTTER, height);
	drawLosses(context, width);
	context.fillStyle = color("--faint");
	context.textAlign = "right";
	context.fillText(`${count(Math.round(most / size * 1e9))}/s`, GUTTER - 8, 30);
	context.fillText("0/s", GUTTER - 8, height - 8);
	if (data.lost) {
		context.fillStyle = color("--mark");
		context.fillText("lost", GUTTER - 8, 19);
	}
	drawCursor(context, width, height);
}

function showLegend()
{
	const add = (name, number, shade) => {
		const item = create("li", `${name}: ${count(number)}`);
		item.style.setProperty("--color", shade);
		element("legend").append(item);
	};
	const others = data.events.filter((event, i) => !ranks.has(i));
	ranks.forEach((rank, event) => add(eventNames[event], data.events[event][1], COLORS[rank]));
	if (sum(others.map(([, number]) => number)))
		add(`${others.filter(([, number]) => number).length} other events`,
		    sum(others.map(([, number]) => number)), OTHER);
	if (data.lost)
		add("lost", data.lost, color("--mark"));
}

/* Lanes of the timeline */

// Puts bars that overlap on different levels. Return: number of levels
function stack(bars)
{
	const ends = [];
	bars.sort((one, other) => one.time - other.time || other.duration - one.duration);
	for (const bar of bars) {
		let level = ends.findIndex((end) => end <= bar.time);
		if (level < 0)
			level = Math.min(ends.length, LEVELS - 1);
		ends[level] = Math.max(ends[level] ?? 0, bar.time + bar.duration);
		bar.level = level;
	}
	return ends.length;
}

function lanesOfProcesses(bars)
{
	const lanes = new Map();
	const laneOf = (thread) => {
		const {pid, tid, comm} = groupOf(threads, thread);
		const key = `${pid} ${tid}`;
		if (!lanes.has(key))
			lanes.set(key, {pid, tid, rows: [], bars: [], isFaint: false});
		// The last name, as of a program after exec
		const lane = lanes.get(key);
		lane.comm = comm || lane.comm;
		return lane;
	};
	rows.forEach((row) => laneOf(row.thread).rows.push(row));
	bars.filter((bar) => !bar.hasActivity).forEach((bar) => laneOf(bar.thread).bars.push(bar));
	const first = new Map();
	lanes.forEach(({pid, rows: [row]}) => first.set(pid, Math.min(first.get(pid) ?? Infinity, row?.time ?? 0)));
	return [...lanes.values()].sort((one, other) =>
		first.get(one.pid) - first.get(other.pid) || one.pid - other.pid || one.tid - other.tid)
		.map((lane) => ({...lane, label: threadName(lane), isFaint: lane.pid !== lane.tid}));
}

function lanesOfActivities(bars)
{
	const lanes = new Map();
	for (const bar of bars.filter(({hasActivity}) => hasActivity)) {
		if (!lanes.has(bar.name))
			lanes.set(bar.name, {label: groupOf(latencyNames, bar.name), rows: [], bars: []});
		lanes.get(bar.name).bars.push(bar);
	}
	return [...lanes.values()];
}

function makeLanes()
{
	const bars = data.bars.map(([time, length, thread, name, hasActivity]) =>
		({time, duration: length, thread, name, hasActivity}));
	const activities = lanesOfActivities(bars);
	const title = (label) => ({label, rows: [], bars: [], isTitle: true});
	const all = [title("Processes"), ...lanesOfProcesses(bars),
		...(activities.length ? [title("Activities"), ...activities] : [])];
	let top = LANE;
	for (const lane of all) {
		const levels = stack(lane.bars);
		lane.longest = lane.bars.reduce((most, bar) => Math.max(most, bar.duration), 0);
		lane.ticks = lane.rows.length || lane.isTitle ? LANE : 2;
		lane.top = top;
		lane.height = lane.ticks + levels * BAR + 3;
		top += lane.height;
	}
	return {all, height: top};
}

const lanes = makeLanes();

function drawTicks(context, lane, y, width)
{
	let drawn = -1;
	for (let i = firstAt(lane.rows, view.from); i < lane.rows.length && lane.rows[i].time <= view.to; i++) {
		const x = Math.floor(xOf(lane.rows[i].time, width) * 2) / 2;
		if (x === drawn)
			continue;
		drawn = x;
		context.fillStyle = colorOfEvent(lane.rows[i].event);
		context.fillRect(x, y + 3, 1.5, lane.ticks - 5);
	}
}

function drawBars(context, lane, y, width)
{
	const drawn = [];
	for (let i = firstAt(lane.bars, view.from - lane.longest); i < lane.bars.length && lane.bars[i].time <= view.to; i++) {
		const bar = lane.bars[i];
		const left = Math.max(xOf(bar.time, width), GUTTER);
		const right = Math.min(xOf(bar.time + bar.duration, width), width);
		const top = y + lane.ticks + bar.level * BAR;
		// What is on the same pixel is not drawn again.
		if (right < GUTTER || right < (drawn[bar.level] ?? 0))
			continue;
		drawn[bar.level] = Math.max(right, left + 1);
		context.fillStyle = colorOfName(bar.name);
		context.fillRect(left, top, Math.max(right - left, 1), BAR - 2);
		if (right - left < 40)
			continue;
		context.fillStyle = "#000000";
		drawText(context, groupOf(latencyNames, bar.name), left + 3, top + BAR / 2 - .5, right - left - 6);
	}
}

function drawLane(context, lane, y, width)
{
	context.fillStyle = color("--line");
	context.fillRect(0, y + lane.height - 1, width, .5);
	context.fillStyle = color(lane.isFaint || lane.isTitle ? "--faint" : "--text");
	context.textAlign = "left";
	drawText(context, lane.label, lane.isTitle ? 6 : lane.isFaint ? 24 : 14, y + 9, GUTTER - 30);
	drawTicks(context, lane, y, width);
	drawBars(context, lane, y, width);
}

function drawTimeline()
{
	const box = element("lanes");
	const room = isPrinted() ? PRINTED : box.clientHeight || 400;
	const {context, width, height} = start(element("timeline"), Math.min(lanes.height, room));
	const top = box.scrollTop;

	// The canvas stays in view and takes a part of the height.
	element("lanes-height").style.height = `${lanes.height - height}px`;
	drawAxis(context, width, height);
	for (const lane of lanes.all)
		if (lane.top + lane.height > top && lane.top < top + height)
			drawLane(context, lane, lane.top - top, width);
	drawCursor(context, width, height);
}

// Returns the record or the bar at a point of the timeline.
function itemAt(x, y, width)
{
	const top = y + element("lanes").scrollTop;
	const lane = lanes.all.find((one) => top >= one.top && top < one.top + one.height);
	if (!lane || x < GUTTER)
		return lane && !lane.isTitle ? {label: lane.label} : {};
	const time = timeAt(x, width), near = (view.to - view.from) / (width - GUTTER) * 5;
	const level = Math.floor((top - lane.top - lane.ticks) / BAR);
	if (level >= 0)
		return {bar: lane.bars.filter((bar) => bar.level === level && bar.time <= time + near &&
			bar.time + bar.duration >= time - near)
			.sort((one, other) => distance(one, time) - distance(other, time))[0]};
	const i = firstAt(lane.rows, time);
	const row = [lane.rows[i - 1], lane.rows[i]].filter((one) => one && Math.abs(one.time - time) <= near)
		.sort((one, other) => Math.abs(one.time - time) - Math.abs(other.time - time))[0];
	return {row};
}

const distance = (bar, time) => Math.max(bar.time - time, time - bar.time - bar.duration, 0);

/* Latencies */

function svg(tag, values, text = "")
{
	const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
	Object.entries(values).forEach(([name, value]) => made.setAttribute(name, value));
	made.textContent = text;
	return made;
}

function histogram({buckets})
{
	const image = svg("svg", {viewBox: "0 0 320 46", role: "img"});
	const first = buckets[0][0], end = last(buckets)[0] + 1;
	const step = 320 / Math.max(end - first, 8), most = Math.max(...buckets.map(([, number]) => number));
	for (const [power, number] of buckets) {
		const high = Math.max(number / most * 32, 1);
		const bar = svg("rect", {x: (power - first) * step, y: 34 - high, width: step - 1, height: high});
		bar.append(svg("title", {}, `${duration(power ? 2 ** power : 0)} to ${duration(2 ** (power + 1))}: ${count(number)}`));
		image.append(bar);
	}
	image.append(svg("text", {x: 0, y: 44}, duration(first ? 2 ** first : 0)),
		     svg("text", {x: Math.max((end - first) * step, 90), y: 44, "text-anchor": "end"}, duration(2 ** end)));
	return image;
}

function showLatencies()
{
	const known = data.latencies.map((latency, i) => ({...latency, name: latencyNames[i]}))
		.filter((latency) => latency.count).sort((one, other) => other.count - one.count);
	element("latencies").hidden = !known.length;
	for (const latency of known) {
		const row = create("tr"), image = create("td");
		image.append(histogram(latency));
		row.append(create("td", latency.name), create("td", count(latency.count), "number"),
			   ...["min", "p50", "p90", "p99", "max"].map((key) => create("td", duration(latency[key]), "number")),
			   image);
		element("latency-rows").append(row);
	}
}

/* Records */

let found = rows;
let chosen = null;

// Words are separated by spaces, and all must be in a record.
function search()
{
	const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
	const names = eventNames.map((name) => name.toLowerCase());
	const labels = threads.map((thread) => threadName(thread).toLowerCase());
	const matches = (row) => words.every((word) => groupOf(names, row.event).includes(word) ||
		groupOf(labels, row.thread).includes(word) || row.fields.toLowerCase().includes(word));
	const part = rows.slice(firstAt(rows, view.from), firstAt(rows, view.to + 1));

	found = words.length ? part.filter(matches) : part;
	element("found").textContent = `${count(found.length)} ` +
		`${isSample ? `found in a sample of ${count(rows.length)} of ${count(data.records)}` : `of ${count(rows.length)}`} records` +
		`${isWhole() ? "" : ", in the selected time"}`;
	drawRecords();
}

function space(rowsLeft)
{
	const row = create("tr", "", "space"), cell = create("td");
	cell.colSpan = 5;
	cell.style.height = `${rowsLeft * ROW}px`;
	row.append(cell);
	return row;
}

function recordRow(row)
{
	const made = create("tr", "", row === chosen ? "chosen" : "");
	made.append(create("td", clockOf(row.time)), create("td", row.cpu < 0 ? "" : row.cpu, "number"),
		    create("td", threadName(groupOf(threads, row.thread))), create("td", eventName(row)),
		    create("td", row.fields));
	made.addEventListener("click", () => choose(row));
	return made;
}

// Only the visible rows are in the document.
function drawRecords()
{
	const box = element("records");
	const from = Math.max(Math.min(Math.floor(box.scrollTop / ROW), found.length) - 10, 0);
	const to = Math.min(from + Math.ceil((box.clientHeight || 400) / ROW) + 20, found.length);

	element("record-rows").replaceChildren(space(from), ...found.slice(from, to).map(recordRow),
					       space(found.length - to));
}

function choose(row, isFar = false)
{
	chosen = row;
	cursor = row.time;
	element("record").textContent = describe(row);
	element("record").hidden = false;
	if (isFar)
		element("records").scrollTop = (firstAt(found, row.time) - 3) * ROW;
	drawRecords();
	drawRates();
	drawTimeline();
}

/* Time range */

function show(from, to)
{
	const size = Math.min(Math.max(to - from, 10), span);
	view.from = Math.min(Math.max(from, 0), span - size);
	view.to = view.from + size;
	element("range").textContent = `${clockOf(view.from)} – ${clockOf(view.to)} (${duration(size)})`;
	drawRates();
	drawTimeline();
	search();
}

// Moves both ends by parts of the range.
function move(left, right)
{
	const size = view.to - view.from;
	show(view.from + left * size, view.to + right * size);
}

// Drags over a canvas.
function zoomWith(canvas)
{
	let begin = null;
	const at = (event) => Math.max(event.offsetX, GUTTER);

	canvas.addEventListener("pointerdown", (event) => {
		begin = event.button ? null : at(event);
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (begin === null)
			return;
		canvas === element("rates") ? drawRates() : drawTimeline();
		const context = canvas.getContext("2d");
		context.globalAlpha = .25;
		context.fillStyle = color("--accent");
		context.fillRect(begin, 0, at(event) - begin, canvas.clientHeight);
	});
	canvas.addEventListener("pointerup", (event) => {
		const times = [begin, at(event)].map((x) => timeAt(x, canvas.clientWidth)).sort((one, other) => one - other);
		if (begin !== null && Math.abs(at(event) - begin) > 4)
			show(...times);
		begin = null;
	});
	canvas.addEventListener("dblclick", () => show(0, span));
	canvas.addEventListener("wheel", (event) => {
		if (!event.ctrlKey)
			return;
		event.preventDefault();
		const time = timeAt(at(event), canvas.clientWidth), factor = event.deltaY > 0 ? 1.3 : 1 / 1.3;
		show(time - (time - view.from) * factor, time + (view.to - time) * factor);
	}, {passive: false});
}

function showTip(event)
{
	const {row, bar, label} = itemAt(event.offsetX, event.offsetY, element("timeline").clientWidth);
	const text = row ? describe(row) : bar
		? `${groupOf(latencyNames, bar.name)}\n${duration(bar.duration)} from ${clockOf(bar.time)}\n` +
		  threadName(groupOf(threads, bar.thread))
		: label;
	const tip = element("tip");

	tip.hidden = !text;
	tip.textContent = text ?? "";
	tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
	tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8)}px`;
}

function connect()
{
	const buttons = {"zoom-in": () => move(.25, -.25), "zoom-out": () => move(-.5, .5), earlier: () => move(-.5, -.5),
			 later: () => move(.5, .5), whole: () => show(0, span)};
	Object.entries(buttons).forEach(([id, act]) => element(id).addEventListener("click", act));
	[element("rates"), element("timeline")].forEach(zoomWith);
	element("search").addEventListener("input", () => {
		element("records").scrollTop = 0;
		search();
	});
	element("records").addEventListener("scroll", drawRecords);
	element("lanes").addEventListener("scroll", drawTimeline);
	element("timeline").addEventListener("mousemove", showTip);
	element("timeline").addEventListener("mouseleave", () => {
		element("tip").hidden = true;
	});
	element("timeline").addEventListener("click", (event) => {
		const {row} = itemAt(event.offsetX, event.offsetY, element("timeline").clientWidth);
		if (row)
			choose(row, true);
	});
	const redraw = () => show(view.from, view.to);
	window.addEventListener("resize", redraw);
	[["beforeprint", true], ["afterprint", false]].forEach(([name, isStart]) => window.addEventListener(name, () => {
		document.documentElement.classList.toggle("printed", isStart);
		redraw();
	}));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

showFacts();
showNotes();
showLegend();
showLatencies();
// With its border
element("lanes").style.height = `${lanes.height + 2}px`;
connect();
show(0, span);
