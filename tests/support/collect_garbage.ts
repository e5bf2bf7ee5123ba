import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs the garbage collector of any of the three runtimes. */
export async function collectGarbage(): Promise<void> {
  // Objects reachable from the running job can be collected only in the next one.
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { Bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (Bun) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
