import { UsageError } from "./usage_error.ts";

/** Node before 22.13 lacks what the program is built on. */
export function checkRuntime(versions: { node?: string; bun?: string; deno?: string }): void {
  if (versions.bun || versions.deno) return;
  const [major, minor] = (versions.node ?? "").split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  throw new UsageError(`Hallpass needs Node 22.13 or later; this is ${versions.node}.`);
}
