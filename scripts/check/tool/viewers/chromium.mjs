// SPDX-License-Identifier: GPL-2.0-only
//
//	node chromium.mjs PROFILE TRACE JSON TEXT	compares what Chromium shows
//	node chromium.mjs PROFILE --refuse TRACE	expects an error
//
// PROFILE is an empty directory for Chromium. Prints differences from the
// records in JSON and TEXT; exits with 0 if there are none.
import fs from "node:fs";
import {Browser, Page} from "./browser.mjs";
import {expected, same} from "./expected.mjs";

const [profile, ...args] = process.argv.slice(2);

// The developer tools as a page of their own
class Panel extends Page {
	async open(browser)
	{
		await super.open(browser, "devtools://devtools/bundled/devtools_app.html?panel=timeline");
		await this.wait(isReady);
	}
}

/* Functions that run in the page */

async function isReady()
{
	if (document.readyState !== "complete")
		return false;
	try {
		const {TimelinePanel} = await import("./panels/timeline/timeline.js");
		globalThis.panel = TimelinePanel.TimelinePanel.instance();
		return true;
	} catch {
		return false;
	}
}

// Loads a file as if the user had chosen it. Return: number of events of the
// panel, or the reason for none
async function loadFile(text)
{
	const loaded = new Promise((resolve) => {
		const complete = panel.loadingComplete;
		panel.loadingComplete = async function (events, ...rest) {
			await complete.call(this, events, ...rest);
			resolve({count: events.length, reason: "no events"});
		};
	});
	try {
		await panel.loadFromFile(new File([text], "trace.json", {type: "application/json"}));
		return await loaded;
	} catch (error) {
		return {count: 0, reason: String(error)};
	}
}

// Returns drawn entries: "NAME (TID)" of the thread, name, milliseconds.
function shownEntries()
{
	const provider = panel.getFlameChart().getMainDataProvider();
	const data = provider.timelineData();
	return Array.from(data.entryLevels, (level, i) => ({
		group: data.groups.filter((group) => group.startLevel <= level).pop().name,
		name: provider.entryTitle(i),
		start: data.entryStartTimes[i],
		duration: data.entryTotalTimes[i],
	}));
}

function readEvents()
{
	return panel.getTraceEngineRawTraceEventsForLayoutTests();
}

// Returns activities, whose two ends the panel has matched across threads.
async function matchedEvents()
{
	const {Helpers} = await import("./models/trace/trace.js");
	const events = panel.getTraceEngineRawTraceEventsForLayoutTests();
	const ends = events.filter(({ph}) => ph === "b" || ph === "e");
	return Helpers.Trace.createMatchedSortedSyntheticEvents(ends).map(({name, cat, ts, dur}) => ({name, cat, ts, dur}));
}

/* Expected values */

const toNanoseconds = (microseconds) => Math.round(microseconds * 1000);

// All numbers are doubles there.
function asDoubles(value)
{
	if (typeof value === "bigint")
		return Number(value);
	if (Array.isArray(value))
		return value.map(asDoubles);
	if (value && typeof value === "object")
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asDoubles(one)]));
	return value;
}

// Returns expected events: one for each slice of a thread, two for each
// activity.
function wantedEvents({slices, instants})
{
	const event = (phase, slice, {pid, tid, start}, more, args) =>
		({phase, name: slice.name, category: slice.category, pid, tid, start, ...more,
			args: args && asDoubles(args)});
	const parts = (slice) => {
		const {start, end, stop, args} = slice;
		const stopped = stop && {stop: stop.args};
		if (!slice.activity)
			return [event("X", slice, slice, {duration: end - start}, {data: {...args, ...stopped}})];
		const id = {id: `0x${slice.activity}`};
		return [event("b", slice, slice, id, {data: args}),
			event("e", slice, {...(stop ?? slice), start: end}, id, stopped)];
	};
	return [...instants.map((one) => event("i", one, one, {s: "t"}, {data: one.args})), ...slices.flatMap(parts)];
}

async function checkEvents(panel, timeline)
{
	const events = (await panel.run(readEvents)).filter(({ph}) => ph !== "M");
	return same("event", wantedEvents(timeline), events.map((event) => {
		const {ph: phase, cat: category, ts, dur, ...rest} = event;
		const duration = dur === undefined ? undefined : toNanoseconds(dur);
		return {phase, category, start: toNanoseconds(ts), duration, ...rest};
	}));
}

// Slices of threads are drawn, with a minimum duration of a microsecond.
async function checkEntries(panel, {slices, names})
{
	const wanted = slices.filter((slice) => !slice.activity).map(({name, pid, tid, start, end}) => ({
		group: `${names.get(`${pid}/${tid}`) ?? `Thread ${tid}`} (${tid})`,
		name, start, duration: end - start || 1000,
	}));
	const entries = await panel.run(shownEntries);
	return same("slice", wanted, entries.map((entry) =>
		({...entry, start: toNanoseconds(entry.start * 1000), duration: toNanoseconds(entry.duration * 1000)})));
}

async function checkActivities(panel, {slices})
{
	const wanted = slices.filter((slice) => slice.activity).map(({name, category, start, end}) =>
		({name, category, start, duration: end - start}));
	const matched = await panel.run(matchedEvents);
	return same("activity", wanted, matched.map(({name, cat, ts, dur}) =>
		({name, category: cat, start: toNanoseconds(ts), duration: toNanoseconds(dur)})));
}

async function compare(panel, [trace, json, text])
{
	const timeline = expected(json, text);
	const {count, reason} = await panel.run(loadFile, fs.readFileSync(trace, "utf8"));
	if (!count) {
		console.log(`not loaded: ${reason}`);
		return false;
	}
	return [await checkEvents(panel, timeline), await checkEntries(panel, timeline),
		await checkActivities(panel, timeline)].every(Boolean);
}

async function refuse(panel, trace)
{
	const {count} = await panel.run(loadFile, fs.readFileSync(trace, "utf8"));
	if (count)
		console.log(`accepted, with ${count} events`);
	return !count;
}

const browser = new Browser(profile);
const panel = new Panel();
let good = false;
try {
	await panel.open(browser);
	good = args[0] === "--refuse" ? await refuse(panel, args[1]) : await compare(panel, args);
} catch (error) {
	console.log(error.message);
} finally {
	await browser.close();
}
process.exit(good ? 0 : 1);
