import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a module of `src`; returns nothing of one whose feature was deleted. */
export async function moduleOf<Module>(path: string): Promise<Partial<Module>> {
  const file = resolve("src", path);
  // A module that was renamed throws: a document without it would look complete.
  return existsSync(dirname(file)) ? await import(pathToFileURL(file).href) : {};
}
