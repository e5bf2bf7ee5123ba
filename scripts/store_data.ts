/**
 * Writes stored data of this version to a new folder of tests/once/stored_data. Every later version
 * must be able to use it.
 *
 *   deno run --allow-all scripts/store_data.ts 0.2.0-$(git rev-parse --short HEAD)
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type DumpedStore, dumpedStores } from "../tests/once/stored_data/dumps.ts";
import { storedFacts } from "../tests/once/stored_data/facts.ts";
import { openOn } from "../tests/once/stored_data/stored_server.ts";
import { inFolder } from "../tests/support/folder.ts";
import { present } from "../tests/support/present.ts";

const folder = join("tests/once/stored_data", present(process.argv[2]));

// Fails if it exists: what was stored never changes.
await mkdir(folder);
const held: Record<string, unknown> = {};
for (const store of dumpedStores) held[store.name] = await makeData(store);
await writeFile(join(folder, "held.json"), `${JSON.stringify(held, undefined, 2)}\n`);

/** Makes every fact in a store, writes its rows to a file, and returns what users hold. */
async function makeData({ open, file }: DumpedStore): Promise<Record<string, unknown>> {
  return await inFolder(async (temporary) => {
    const { store, dump } = await open(temporary);
    const kit = openOn(store);
    await kit.server.ready();
    const made: Record<string, unknown> = {};
    for (const { title, make } of storedFacts) made[title] = await make(kit);
    await kit.server.close();
    await writeFile(join(folder, file), await dump());
    return made;
  });
}
