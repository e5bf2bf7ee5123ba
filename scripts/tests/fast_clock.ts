/**
 * Lets the clock of a test run faster, so that a test fails that reads it twice and expects one
 * time. Deno loads it before the tests. Timers keep their pace.
 */
import process from "node:process";

const speed = Number(process.env.HALLPASS_TEST_CLOCK_SPEED);
const { now } = Date;
const started = now();

Date.now = () => Math.floor(started + (now() - started) * speed);

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, newTarget),
});
