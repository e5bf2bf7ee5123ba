/**
 * Sends requests with autocannon, as many as its connections can, until its input ends. Prints a
 * line at the first response, and at last how often each status came in a second.
 *
 *   node flood.mjs OPTIONS
 */
import autocannon from "autocannon";
import process from "node:process";

const options = { duration: 24 * 60 * 60, sampleInt: 100, ...JSON.parse(process.argv[2]) };
const running = autocannon(options, (cause, { statusCodeStats, duration }) => {
  if (cause) throw cause;
  const counts = Object.entries(statusCodeStats);
  const perSecond = counts.map(([status, { count }]) => [status, Math.round(count / duration)]);
  console.log(JSON.stringify(Object.fromEntries(perSecond)));
});
running.once("response", () => console.log("open"));
process.stdin.resume().on("end", () => running.stop());
