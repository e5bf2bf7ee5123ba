import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a module of the lab; returns nothing of one whose feature was deleted. */
export async function labModule<Module>(path: string): Promise<Partial<Module>> {
  const file = resolve("src/lab", path);
  // A module that was renamed throws: a document without it would look complete.
  return existsSync(dirname(file)) ? await import(pathToFileURL(file).href) : {};
}
