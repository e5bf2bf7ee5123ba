import process from "node:process";
import { runCommand } from "./child.ts";
import { binary } from "./npx.ts";

const folder = ".build/bench-package";
/** So many fresh processes; the median counts. */
const processes = 11;

const rows: Array<[what: string, name: string, goal?: number]> = [
  ["open a lab", "open", 1],
  ["open a tenant", "tenant", 1],
  ["a token", "token"],
  ["200 tenants, each with a login", "logins", 2000],
];

/** Measures the kit of the package as tests use it: what a first token costs a fresh process, and everything after that. */
export async function benchKit(runtime: string): Promise<void> {
  await output([
    process.execPath,
    "run",
    "--cached-only",
    "--allow-all",
    "--no-check",
    "scripts/build.ts",
    folder,
  ]);
  const command = await commandOf(runtime);
  const measure = async (what: string, alg: string): Promise<Record<string, number>> =>
    JSON.parse(
      (await output([...command, "scripts/measure_kit.ts", folder, what, alg])).trim().split("\n")
        .at(-1)!,
    );
  for (const alg of ["RS256", "ES256"]) {
    console.log(`hallpass/testing, ${runtime}, ${alg}`);
    const first: number[] = [];
    for (let count = 0; count < processes; count++) first.push((await measure("first", alg)).first);
    print(
      "import, lab and first token, in a fresh process",
      first.sort((a, b) => a - b)[(processes - 1) / 2],
      40,
    );
    const warm = await measure("warm", alg);
    for (const [what, name, goal] of rows) print(what, warm[name], goal);
  }
}

async function commandOf(runtime: string): Promise<string[]> {
  if (runtime === "deno") {
    return [process.execPath, "run", "--cached-only", "--allow-all", "--no-check"];
  }
  return [await binary(runtime === "bun" ? "bun@1" : "node@24")];
}

async function output(command: string[]): Promise<string> {
  const ended = await runCommand(command, { timeout: 120_000 });
  if (ended.code !== 0) {
    throw new Error(`${command.join(" ")} ended with exit code ${ended.code}:\n${ended.output}`);
  }
  return ended.output;
}

function print(what: string, milliseconds: number, goal?: number): void {
  console.log(
    `${what.padEnd(48)} ${milliseconds.toFixed(2).padStart(9)} ms${
      goal === undefined ? "" : `   goal: below ${goal} ms`
    }`,
  );
}
