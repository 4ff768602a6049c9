// A run that goes on: asked for again and again, from the server that the page came from.
import { decode } from "./decode.js";

const SECOND = 1000;
const wait = (time) => new Promise((done) => setTimeout(done, time));

let last = "";

// The run if it has come further, else null.
async function askOnce() {
  const response = await fetch("run", { cache: "no-store" });
  const text = response.ok ? await response.text() : "";
  if (text === "" || text === last) return null;
  last = text;
  return decode(text);
}

/** Waits for the first record. */
export async function fetchRun() {
  for (;;) {
    const run = await askOnce();
    if (run) return run;
    await wait(SECOND / 4);
  }
}

/** Renews what is shown until the server has gone. Long runs are asked for less often, so that
 *  reading them takes a fifth of the time at most. */
export async function follow(viewer, tell) {
  for (let pause = SECOND; ; ) {
    await wait(pause);
    const begun = performance.now();
    try {
      const run = await askOnce();
      if (run) viewer.renew(run);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // of fetch: nobody answers
      tell("the run has ended; the page shows it as far as it came");
      return;
    }
    pause = Math.max(SECOND, 4 * (performance.now() - begun));
  }
}
