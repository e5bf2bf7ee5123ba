import { runCommand } from "./child.ts";

const paths = new Map<string, Promise<string>>();

/**
 * Returns the path of a runtime from the npm registry, so that it runs without npx as a wrapper.
 */
export function binary(name: string): Promise<string> {
  const path = paths.get(name) ?? findBinary(name);
  paths.set(name, path);
  return path;
}

async function findBinary(name: string): Promise<string> {
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
