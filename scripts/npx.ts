import process from "node:process";
import { runCommand } from "./child.ts";

const paths = new Map<string, Promise<string>>();

/**
 * Returns the path of a runtime from the npm registry, so that it runs without npx as a wrapper.
 * A variable keeps it for the processes that this one starts.
 */
export function binary(name: string): Promise<string> {
  const variable = `BINARY_${name.replaceAll(/\W/g, "_")}`;
  const known = process.env[variable];
  const path = paths.get(name) ?? (known ? Promise.resolve(known) : findBinary(name));
  paths.set(name, path);
  return path.then((found) => process.env[variable] = found);
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
