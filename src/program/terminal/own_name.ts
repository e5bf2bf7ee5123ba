import process from "node:process";

/** How a process was started: its script and the runtime. */
export interface StartedBy {
  script?: string | undefined;
  runtime: string;
}

/** Returns how the reader can run this program: "deno task hallpass" in a clone. */
export function ownName({ script, runtime }: Partial<StartedBy> = startedBy()): string {
  if (script === undefined) return "hallpass";
  const path = withSlashes(script);
  if (path.endsWith("/src/main.ts")) return `${denoName({ runtime })} task hallpass`;
  return path.includes("/node_modules/") ? "npx hallpass" : "hallpass";
}

/** Returns how the reader can run Deno, which npx downloads for those who have not installed it. */
export function denoName({ runtime = "" }: { runtime?: string | undefined } = startedBy()): string {
  return withSlashes(runtime).includes("/_npx/") ? "npx -y deno" : "deno";
}

export function startedBy(): StartedBy {
  return { script: process.argv[1], runtime: process.execPath };
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
