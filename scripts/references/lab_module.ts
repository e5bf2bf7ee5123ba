import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a module of the lab; returns nothing of one whose feature was deleted. */
export async function labModule<Module>(path: string): Promise<Partial<Module>> {
  const file = resolve("src/lab", path);
  return existsSync(file) ? await import(pathToFileURL(file).href) : {};
}
