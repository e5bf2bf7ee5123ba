import { runCommand } from "./child.ts";

/** A runtime from the npm registry: the program itself, so that no wrapper stands between us and it. */
export async function binary(name: string): Promise<string> {
  const { output, code } = await runCommand([
    "npx",
    "-y",
    name,
    "-e",
    "console.log('binary=' + process.execPath)",
  ], { timeout: 300_000 });
  const path = /binary=(.+)/.exec(output)?.[1];
  if (!path) {
    throw new Error(`Cannot get ${name} from the npm registry (exit code ${code}): ${output}`);
  }
  return path;
}
