// SPDX-License-Identifier: GPL-2.0-only
//
//	node report.mjs PROFILE PAGE JSON LATENCY SCREENSHOT
//
// Compares what Chromium shows of the page of "user-events report" with the
// records in JSON, one object per line, and the object in LATENCY. PROFILE is an
// empty directory for Chromium. Writes SCREENSHOT-light.png, SCREENSHOT-dark.png
// and, as they are printed, the same as PDF. Prints differences; exits with 0 if
// there are none. The page can have a sample of the records.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {Browser, Page} from "./browser.mjs";
import {parseJson, same} from "./expected.mjs";

const [profile, file, jsonPath, latencyPath, screenshot] = process.argv.slice(2);
const records = fs.readFileSync(jsonPath, "utf8").split("\n").filter(Boolean).map(parseJson);
const {latencies} = JSON.parse(fs.readFileSync(latencyPath, "utf8"));
const url = `file://${path.resolve(file)}`;
const messages = [];

// Of longer tables, only this number of rows is certainly read.
const ALL_ROWS = 300;

function expect(what, wanted, shown)
{
	if (String(wanted) !== String(shown))
		messages.push(`${what}: ${shown} instead of ${wanted}`);
}

/* Functions that run in the page */

const isShown = () => document.readyState === "complete" && document.getElementById("range").textContent !== "";

// Returns what is in the document.
const readDocument = () => ({
	title: document.title,
	scripts: document.scripts.length,
	images: document.images.length,
	bold: document.querySelectorAll("b").length,
	facts: Object.fromEntries([...document.querySelectorAll("#facts > div")]
		.map(({children: [name, value]}) => [name.textContent, value.textContent])),
	latencies: [...document.querySelectorAll("#latency-rows tr")]
		.map(({cells}) => ({name: cells[0].textContent, count: cells[1].textContent})),
	found: document.getElementById("found").textContent,
});

// Scrolls through the table, of which it reads all rows if there are not too
// many. Return: rows with their place
async function readTable()
{
	const box = document.getElementById("records"), shown = new Map();
	const step = Math.max(box.clientHeight / 2, box.scrollHeight / 30);
	for (let top = 0; top < box.scrollHeight; top += step) {
		box.scrollTop = top;
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		const first = document.querySelector("#record-rows .space").getBoundingClientRect();
		document.querySelectorAll("#record-rows tr:not(.space)").forEach((row) => {
			const place = Math.round((row.getBoundingClientRect().top - first.top) / row.offsetHeight);
			shown.set(place, [...row.cells].map((cell) => cell.textContent));
		});
	}
	return [...shown.entries()];
}

async function searchFor(text)
{
	const box = document.getElementById("search");
	box.value = text;
	box.dispatchEvent(new Event("input"));
	return document.getElementById("found").textContent;
}

// Returns the number of colors of a canvas.
function colorsOf(id)
{
	const canvas = document.getElementById(id);
	const {data: bytes} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	return new Set(new Uint32Array(bytes.buffer)).size;
}

// Selects the second half of the time with the mouse.
function zoom()
{
	const canvas = document.getElementById("rates"), width = canvas.clientWidth;
	const {left, top} = canvas.getBoundingClientRect();
	const send = (type, x) => canvas.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: left + x, clientY: top + 50}));
	canvas.setPointerCapture = () => {};
	send("pointerdown", (190 + width) / 2);
	send("pointerup", width);
	return document.getElementById("found").textContent;
}

// Moves the mouse to the first bar of the timeline, and returns the tip.
function tipOfBar()
{
	const canvas = document.getElementById("timeline"), box = canvas.getBoundingClientRect();
	const lane = lanes.all.find(({bars}) => bars.length);
	document.getElementById("lanes").scrollTop = lane.top - 20;
	const x = xOf(lane.bars[0].time + lane.bars[0].duration / 2, canvas.clientWidth);
	const y = lane.top - document.getElementById("lanes").scrollTop + lane.ticks + 4;
	canvas.dispatchEvent(new MouseEvent("mousemove", {clientX: box.left + x, clientY: box.top + y}));
	return document.getElementById("tip").textContent;
}

/* Comparisons */

const number = (value) => new Intl.NumberFormat("en").format(value);

async function checkSummary(page)
{
	const shown = await page.run(readDocument);
	expect("title", `${path.basename(file, ".html")} – user-events report`, path.basename(shown.title));
	expect("scripts", 2, shown.scripts);
	expect("images", 0, shown.images);
	expect("bold texts", 0, shown.bold);
	expect("Records", number(records.length), shown.facts.Records);
	expect("Events", new Set(records.map(({n}) => n)).size, shown.facts.Events);
	expect("Processes", new Set(records.map(({meta}) => meta.pid)).size, shown.facts.Processes);
	return same("latency", latencies.map(({name, count}) => ({name, count: number(count)})), shown.latencies);
}

const readSample = () => ({count: rows.length, of: data.records,
	notes: document.getElementById("notes").textContent, lanes: lanes.all.filter((lane) => lane.rows.length).length});

// A sample has all threads and events, and says so.
async function checkSample(page, sample)
{
	const threads = new Set(records.map(({meta: {pid, tid}}) => `${pid} ${tid}`));
	const sizes = `${number(sample.count)} of ${number(records.length)} records`;
	expect("threads of a sample", threads.size, sample.lanes);
	if (!sample.notes.includes(`a sample: ${sizes}`))
		messages.push(`notes: ${sample.notes}`);
	for (const name of new Set(records.map(({n}) => n)))
		if (!(parseInt(await page.run(searchFor, name), 10) > 0))
			messages.push(`no ${name} in a sample`);
	expect("found by no word", `0 found in a sample of ${sizes}`, await page.run(searchFor, "no-such-word"));
	await page.run(searchFor, "");
}

async function checkTable(page)
{
	const wanted = records.map(({n, meta: {cpu}}, place) =>
		({place, event: n.includes(":") ? n : `user_events:${n}`, cpu}));
	const shown = (await page.run(readTable)).map(([place, [, cpu, , event]]) => ({place, event, cpu: Number(cpu)}));
	const places = new Set(shown.map(({place}) => place));
	if (records.length <= ALL_ROWS || places.size < ALL_ROWS)
		return same("record", wanted, shown);
	return same("record", wanted.filter(({place}) => places.has(place)), shown);
}

async function checkSearch(page)
{
	const all = number(records.length);
	expect("found", `${all} of ${all} records`, (await page.run(readDocument)).found);
	const name = records[records.length >> 1].n;
	const wanted = records.filter(({n}) => n.toLowerCase().includes(name.toLowerCase())).length;
	// Words are separated by spaces.
	const [found] = (await page.run(searchFor, name)).split(" ");
	expect("found by name", number(wanted), found);
	expect("found by no word", number(0), (await page.run(searchFor, "no-such-word")).split(" ")[0]);
	await page.run(searchFor, "");
}

async function checkDrawing(page)
{
	const [{name}] = latencies;
	const before = await page.run(colorsOf, "rates");
	if (before < 4 || await page.run(colorsOf, "timeline") < 4)
		messages.push("rates or timeline: nothing is drawn");
	const tip = await page.run(tipOfBar);
	if (!latencies.some((latency) => tip.startsWith(latency.name)))
		messages.push(`tip of a bar: ${tip} instead of ${name}...`);
	const found = Number((await page.run(zoom)).split(" ")[0].replaceAll(",", ""));
	if (!(found > 0 && found < records.length))
		messages.push(`zoom shows ${found} of ${records.length} records`);
	await page.run(() => document.getElementById("whole").click());
}

async function takeScreenshot(page, scheme)
{
	await page.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
	await page.run(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	const {data} = await page.send("Page.captureScreenshot", {format: "png", captureBeyondViewport: true});
	fs.writeFileSync(`${screenshot}-${scheme}.png`, Buffer.from(data, "base64"));
	return data;
}

// Returns the pixels of the printed page.
async function print(page, scheme)
{
	const path = `${screenshot}-${scheme}.pdf`;
	await page.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
	const {data} = await page.send("Page.printToPDF", {});
	fs.writeFileSync(path, Buffer.from(data, "base64"));
	return execFileSync("pdftoppm", ["-r", "60", path], {maxBuffer: 1 << 28});
}

// Ink is the same in both schemes, and there is little of it.
async function checkPrint(page)
{
	const image = () => document.getElementById("timeline").toDataURL();
	const redraw = () => show(view.from, view.to);
	const light = await print(page, "light"), dark = await print(page, "dark");
	// The edges of lines can differ.
	const difference = light.reduce((sum, byte, i) => sum + Math.abs(byte - dark[i]), 0) / light.length;
	if (light.length !== dark.length || !(difference < .5))
		messages.push(`light and dark are printed differently, by ${difference.toFixed(2)}`);
	const inked = dark.reduce((sum, byte) => sum + (byte < 128), 0) / dark.length;
	if (!(inked > .005 && inked < .3))
		messages.push(`print: ${(inked * 100).toFixed(1)} % is dark`);
	const after = await page.run(image);
	await page.run(redraw);
	if (await page.run(image) !== after)
		messages.push("print: the page is not restored");
}

// The page must not request anything, and have no error.
function watch(browser, page)
{
	browser.onEvent = ({method, params}) => {
		if (method === "Network.requestWillBeSent" && params.request.url !== url)
			messages.push(`request: ${params.request.url}`);
		if (method === "Runtime.exceptionThrown")
			messages.push(`error: ${params.exceptionDetails.exception?.description}`);
		if (method === "Log.entryAdded")
			messages.push(`log: ${params.entry.text}`);
	};
	return Promise.all(["Network.enable", "Log.enable", "Page.enable"].map((method) => page.send(method)));
}

async function check(browser)
{
	const page = new Page();
	await page.open(browser, "about:blank");
	await watch(browser, page);
	await page.send("Emulation.setDeviceMetricsOverride", {width: 1400, height: 1300, deviceScaleFactor: 1, mobile: false});
	await page.send("Page.navigate", {url});
	await page.wait(isShown);
	const sample = await page.run(readSample);
	let isSame = await checkSummary(page);
	if (sample.count < sample.of) {
		await checkSample(page, sample);
	} else {
		isSame &&= await checkTable(page);
		await checkSearch(page);
	}
	await checkDrawing(page);
	if (await takeScreenshot(page, "light") === await takeScreenshot(page, "dark"))
		messages.push("light and dark are the same");
	await checkPrint(page);
	return isSame;
}

const browser = new Browser(profile);
let good = false;
try {
	good = await check(browser);
} catch (error) {
	messages.push(error.message);
} finally {
	await browser.close();
}
messages.forEach((line) => console.log(line));
process.exit(good && !messages.length ? 0 : 1);
