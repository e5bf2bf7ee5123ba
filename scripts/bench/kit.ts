import process from "node:process";
import { succeed } from "../child.ts";
import { binary } from "../downloads.ts";
import { medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";

const folder = ".build/bench-package";

/** How many fresh processes are measured; the median counts. */
const processes = 11;

/** What `measure_kit.ts` prints: the name, the milliseconds, and what they should stay below. */
type Figure = readonly [what: string, milliseconds: number, goal?: number | undefined];

/**
 * Measures the package's test kit: the first token of a fresh process, and everything after that.
 */
export function measureKits(runtime: string): Trial[] {
  return ["RS256", "ES256"].map((alg) => ({
    title: `hallpass/testing, ${runtime}, ${alg}`,
    async run() {
      await succeed([...denoCommand, "scripts/build.ts", folder]);
      const command = [...await commandOf(runtime), "scripts/bench/measure_kit.ts", folder];
      const measure = async (part: "first" | "warm"): Promise<Figure[]> => {
        const output = await succeed([...command, part, alg]);
        return JSON.parse(output.trim().split("\n").at(-1) ?? "");
      };
      const fresh: Figure[] = [];
      while (fresh.length < processes) fresh.push(...await measure("first"));
      const [[what, , goal] = ["", NaN]] = fresh;
      const first: Figure = [what, medianOf(fresh.map(([, time]) => time)), goal];
      return { figures: [first, ...await measure("warm")].map(describe), problems: [] };
    },
  }));
}

const denoCommand = [process.execPath, "run", "--cached-only", "--allow-all", "--no-check"];

async function commandOf(runtime: string): Promise<string[]> {
  // Outside of node_modules, Deno would take the package for ES modules.
  if (runtime === "deno") return [...denoCommand, "--unstable-detect-cjs"];
  return [await binary(runtime === "bun" ? "bun@1" : "node@24")];
}

function describe([what, milliseconds, goal]: Figure): string {
  const hint = goal === undefined ? "" : `   goal: below ${goal} ms`;
  return `${what.padEnd(48)} ${milliseconds.toFixed(2).padStart(9)} ms${hint}`;
}
