import { basename, join } from "node:path";
import process from "node:process";
import { commandFor } from "../../tests/support/program.ts";
import { bundle, optionalPackages } from "../bundle.ts";
import { binary } from "../downloads.ts";

const probe = "scripts/trials/probe.ts";

/** How each runtime runs a file, with the probe loaded before it. */
const commands: Readonly<Record<string, (file: string) => Promise<string[]>>> = {
  async deno(file) {
    const [deno = "", run = "", ...args] = commandFor(file);
    return [deno, run, "--v8-flags=--expose-gc", "--preload", probe, ...args];
  },
  bun: async (file) => [await binary("bun@1"), "--preload", `./${probe}`, file],
  async node(file) {
    const node = await binary("node@24");
    const program = file.endsWith(".ts") ? programForNode(file) : file;
    return [node, "--expose-gc", "--import", `./${probe}`, program];
  },
};

/** The runtimes that a server under trial can run on. */
export const runtimes: readonly string[] = Object.keys(commands);

/** Our program: a package that was made already, or the sources. */
const ourProgram = process.env.HALLPASS_TEST_MAIN ?? "src/main.ts";

/** Returns the command that runs a file on a runtime: our program, or another server. */
export async function commandOn(runtime: string, file = ourProgram): Promise<string[]> {
  const command = commands[runtime];
  if (!command) throw new Error(`The runtime must be one of ${runtimes.join(", ")}.`);
  return await command(file);
}

/** Node cannot read JSX and runs a bundle. */
function programForNode(file: string): string {
  // In the project, so that the bundle finds the packages that only some stores need.
  const outfile = join(".build", "trials", basename(file).replace(/ts$/, "mjs"));
  bundle({ entryPoints: [file], outfile, external: [...optionalPackages] });
  return outfile;
}
