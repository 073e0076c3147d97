// SPDX-License-Identifier: GPL-2.0-only
//
// Debian's Chromium without a window, and its pages.
import {spawn} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const SECONDS = 120;

// Chromium needs --no-sandbox as root. It must not access the network.
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"];

// Messages in the pipe are JSON, each followed by a NUL.
export class Browser {
	// @profile: an empty directory
	constructor(profile)
	{
		const log = fs.openSync(path.join(profile, "chromium.log"), "w");
		this.process = spawn("chromium", [...FLAGS, `--user-data-dir=${profile}`, "about:blank"],
				     {stdio: ["ignore", log, log, "pipe", "pipe"]});
		this.waiting = new Map();
		this.sent = 0;
		this.received = Buffer.alloc(0);
		this.exited = new Promise((resolve) => this.process.on("exit", resolve));
		this.process.stdio[3].on("error", () => {});
		this.process.stdio[4].on("data", (bytes) => this.receive(bytes));
		this.timer = setTimeout(() => {
			console.log(`timeout after ${SECONDS} seconds`);
			this.process.kill("SIGKILL");
		}, SECONDS * 1000);
		this.exited.then(() => this.waiting.forEach(({reject}) => reject(new Error("Chromium has exited"))));
	}

	receive(bytes)
	{
		this.received = Buffer.concat([this.received, bytes]);
		for (let end = this.received.indexOf(0); end >= 0; end = this.received.indexOf(0)) {
			const message = JSON.parse(this.received.subarray(0, end));
			const {resolve, reject} = this.waiting.get(message.id) ?? {};

			this.received = this.received.subarray(end + 1);
			this.waiting.delete(message.id);
			if (message.method)
				this.onEvent?.(message);
			else if (message.error)
				reject?.(new Error(message.error.message));
			else
				resolve?.(message.result);
		}
	}

	send(method, params = {}, sessionId = undefined)
	{
		const id = ++this.sent;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, {resolve, reject});
			this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
		});
	}

	async close()
	{
		await this.send("Browser.close").catch(() => {});
		await this.exited;
		clearTimeout(this.timer);
	}
}

export class Page {
	async open(browser, url)
	{
		const {targetId} = await browser.send("Target.createTarget", {url});
		const {sessionId} = await browser.send("Target.attachToTarget", {targetId, flatten: true});

		this.browser = browser;
		this.session = sessionId;
		await this.send("Runtime.enable");
	}

	send(method, params)
	{
		return this.browser.send(method, params, this.session);
	}

	// Runs a function in the page and returns its result.
	async run(code, ...values)
	{
		const expression = `(${code})(${values.map((value) => JSON.stringify(value)).join()})`;
		const {result, exceptionDetails} = await this.send("Runtime.evaluate",
			{expression, awaitPromise: true, returnByValue: true});
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	}

	// Waits until a function in the page returns true.
	async wait(code)
	{
		while (!(await this.run(code)))
			await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
