import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs the garbage collector, on whichever engine this is. */
export async function collectGarbage(): Promise<void> {
  // What was reachable from the running job is let go of in the next one.
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { Bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (Bun) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
