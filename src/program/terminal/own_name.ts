import process from "node:process";
import { UsageError } from "./exit_code.ts";

export { version } from "../../runtime/version.ts";

/** How a process was started: its script and the runtime. */
interface StartedBy {
  script?: string | undefined;
  runtime?: string | undefined;
}

/** What runs this program, and which script of it. */
interface RunBy {
  versions: { node?: string | undefined; bun?: string | undefined; deno?: string | undefined };
  script: string | undefined;
}

/** Returns how the reader can run this program: "deno task hallpass" in a clone. */
export function ownName({ script, runtime }: StartedBy = startedBy()): string {
  if (script === undefined) return "hallpass";
  const path = withSlashes(script);
  if (path.endsWith("/src/main.ts")) return `${denoName({ runtime })} task hallpass`;
  return path.includes("/node_modules/") ? "npx hallpass" : "hallpass";
}

/** Returns how the reader can run Deno, which npx downloads for those who have not installed it. */
export function denoName({ runtime = "" }: StartedBy = startedBy()): string {
  return withSlashes(runtime).includes("/_npx/") ? "npx -y deno" : "deno";
}

/**
 * Rejects versions of Node that lack `node:sqlite`. They can still print help.
 *
 * @throws {UsageError} A command needs a later version.
 */
export function checkNodeVersion(
  command: string,
  { versions, script = "hallpass" }: RunBy,
): void {
  const { node = "", bun, deno } = versions;
  if (bun || deno) return;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  throw new UsageError(
    `hallpass ${command} needs Node 22.13 or later; this is ${node}. Without installing one: ` +
      `npx -y node@24 ${script} ${command}, or with Bun: bunx --bun hallpass ${command}`,
  );
}

function startedBy(): StartedBy {
  return { script: process.argv[1], runtime: process.execPath };
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
