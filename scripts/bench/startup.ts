import { join } from "node:path";
import process from "node:process";
import deno from "../../deno.json" with { type: "json" };
import { startProgram } from "../../tests/support/program.ts";
import { compile } from "../child.ts";
import { inTurns, medianOf } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";
import { ownPaths } from "./workloads.ts";

/** How often each program is started; the median counts. */
const starts = 15;
const goal = 2.5;

const emptyServer = "scripts/bench/floor/empty_server.ts";

/** Measures the time from the start of a lab to its first answer, beside an empty server. */
export const measureStartup: Trial = {
  title: "a lab, from its start to its first answer",
  async run(folder) {
    const empty = await compile(join(folder, "empty"), emptyServer);
    const binary = await compile(join(folder, "hallpass"));
    const [, ...start] = deno.tasks.start.command.split(" ");
    const labs = [
      { name: "the binary", lab: [binary, "lab"], floor: [empty] },
      {
        name: "what deno task start runs",
        lab: [process.execPath, ...start],
        floor: [process.execPath, "run", "--allow-net", emptyServer],
      },
    ];
    const figures: string[] = [];
    for (const { name, lab, floor } of labs) {
      const commands = [[...lab, "--port", "0"], floor];
      const [ours = NaN, empty = NaN] = (await inTurns(starts, commands, timeToAnswer))
        .map(medianOf);
      figures.push(
        `${name} ${ours.toFixed(1)} ms, an empty server ${empty.toFixed(1)} ms: ` +
          `${(ours / empty).toFixed(1)} times as long; goal: at most ${goal} times`,
      );
    }
    return { figures, problems: [] };
  },
};

async function timeToAnswer(command: string[]): Promise<number> {
  const start = performance.now();
  await using program = await startProgram([], {}, command);
  await (await fetch(program.address + ownPaths.discovery)).arrayBuffer();
  return performance.now() - start;
}
