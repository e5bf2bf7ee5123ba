import process from "node:process";
import { succeed } from "../child.ts";
import { binary } from "../downloads.ts";
import { medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import type { KitFigures } from "./measure_kit.ts";

/** A figure to print, and the time it should stay below, in milliseconds. */
interface FigureRow {
  what: string;
  name: keyof KitFigures;
  goal?: number;
}

const folder = ".build/bench-package";
/** How many fresh processes are measured; the median counts. */
const processes = 11;

const rows: readonly FigureRow[] = [
  { what: "import, lab and first token, in a fresh process", name: "first", goal: 40 },
  { what: "open a lab", name: "open", goal: 0.2 },
  { what: "open a lab, with a token", name: "openWithToken", goal: 1 },
  { what: "open a tenant", name: "tenant", goal: 1 },
  { what: "open a second provider (Entra)", name: "provider", goal: 1 },
  { what: "a token", name: "token" },
  { what: "200 tenants, each with a login", name: "logins", goal: 2000 },
];

/**
 * Measures the package's test kit: the first token of a fresh process, and everything after that.
 */
export function measureKits(runtime: string): Trial[] {
  return ["RS256", "ES256"].map((alg) => ({
    title: `hallpass/testing, ${runtime}, ${alg}`,
    async run() {
      await succeed([...denoCommand, "scripts/build.ts", folder]);
      const command = [...await commandOf(runtime), "scripts/bench/measure_kit.ts", folder];
      const measure = async (part: "first" | "warm"): Promise<KitFigures> => {
        const output = await succeed([...command, part, alg]);
        return JSON.parse(output.trim().split("\n").at(-1) ?? "");
      };
      const times: number[] = [];
      while (times.length < processes) times.push((await measure("first")).first ?? NaN);
      const figures = { ...await measure("warm"), first: medianOf(times) };
      return { figures: rows.map((row) => describe(row, figures[row.name])), problems: [] };
    },
  }));
}

const denoCommand = [process.execPath, "run", "--cached-only", "--allow-all", "--no-check"];

async function commandOf(runtime: string): Promise<string[]> {
  // Outside of node_modules, Deno would take the package for ES modules.
  if (runtime === "deno") return [...denoCommand, "--unstable-detect-cjs"];
  return [await binary(runtime === "bun" ? "bun@1" : "node@24")];
}

function describe({ what, goal }: FigureRow, milliseconds = NaN): string {
  const hint = goal === undefined ? "" : `   goal: below ${goal} ms`;
  return `${what.padEnd(48)} ${milliseconds.toFixed(2).padStart(9)} ms${hint}`;
}
