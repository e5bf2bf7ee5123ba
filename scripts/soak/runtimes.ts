import { join } from "node:path";
import process from "node:process";
import { commandFor } from "../../tests/support/program.ts";
import { bundle, optionalPackages } from "../bundle.ts";
import { binary } from "../downloads.ts";

const probe = "scripts/soak/probe.ts";

/** Returns the command that runs the program on a runtime, with the probe loaded before it. */
type CommandOfRuntime = () => Promise<string[]>;

/** The runtimes that a soak can use. */
export const runtimes: Readonly<Record<string, CommandOfRuntime>> = {
  async deno() {
    const [deno = "", run = "", ...args] = commandFor("src/main.ts");
    return [deno, run, "--v8-flags=--expose-gc", "--preload", probe, ...args];
  },
  bun: async () => [await binary("bun@1"), "--preload", `./${probe}`, "src/main.ts"],
  async node() {
    return [await binary("node@24"), "--expose-gc", "--import", `./${probe}`, programForNode()];
  },
};

/** Node cannot read JSX and runs a bundle, which the test runner has made already. */
function programForNode(): string {
  const { HALLPASS_TEST_MAIN: made } = process.env;
  if (made !== undefined) return made;
  // In the project, so that the bundle finds the packages that only some stores need.
  const outfile = join(".build", "soak", "main.mjs");
  bundle({ entryPoints: ["src/main.ts"], outfile, external: [...optionalPackages] });
  return outfile;
}
