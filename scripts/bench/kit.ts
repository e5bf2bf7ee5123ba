import { resolve } from "node:path";
import process from "node:process";
import { succeed } from "../child.ts";
import { binary } from "../downloads.ts";
import { inTurns, medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { fetchPeers } from "./servers.ts";

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

/** How often each program of a comparison runs; the median counts. */
const turns = 25;

/** What a test suite does before its first request, with our kit and with what others install. */
const programs: ReadonlyArray<[what: string, code: string]> = [
  ["an empty process", ""],
  ["import of hallpass/testing", 'await import("HALLPASS/testing.js");'],
  ["import of oauth2-mock-server", 'await import("oauth2-mock-server");'],
  ["import of oidc-provider", 'await import("oidc-provider");'],
  [
    "a lab with a token",
    'const { hallpass } = (await import("HALLPASS/testing.js")).default;' +
    'await (await hallpass({ alg: "ES256" })).mint({ sub: "alice" });',
  ],
  [
    "oauth2-mock-server with a token",
    'const { OAuth2Server } = await import("oauth2-mock-server");' +
    'const server = new OAuth2Server(); await server.issuer.keys.generate("ES256");' +
    'await server.start(0, "localhost"); await server.issuer.buildToken();',
  ],
];

/** Compares the CPU time of fresh processes on Node, in turns. */
export const compareKits: Trial = {
  title: "the test kit and other servers, CPU time of a fresh process on Node, ES256",
  async run() {
    await succeed([...denoCommand, "scripts/build.ts", folder, "--no-types"]);
    const [node, cwd] = [await binary("node@24"), await fetchPeers()];
    const measure = async ([, code]: readonly [string, string]) => {
      const program = `${code.replaceAll("HALLPASS", resolve(folder))}
        const { user, system } = process.cpuUsage();
        console.log((user + system) / 1000);
        process.exit();`;
      return Number(await succeed([node, "--input-type=module", "--eval", program], cwd));
    };
    const times = await inTurns(turns, programs, measure);
    const figures = programs.map(([what], at) => describe([what, medianOf(times[at] ?? [])]));
    return { figures, problems: [] };
  },
};

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
