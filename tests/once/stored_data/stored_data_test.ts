import { assertEquals } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../../support/folder.ts";
import { type DumpedStore, dumpedStores } from "./dumps.ts";
import { storedFacts } from "./facts.ts";
import { openOn } from "./stored_server.ts";

const home = "tests/once/stored_data";

/** How long after the data was made a later version opens it, in seconds. */
const pause = 20;

/** What users and clients hold, by store and title of the fact. */
type Held = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const versions = readdirSync(home).filter((name) => existsSync(join(home, name, "held.json")));

/** Opens stored data, and returns the facts that do not hold, with the reason. */
async function lostIn(
  version: string,
  { open, file }: DumpedStore,
  held: Held[string] = {},
): Promise<string[]> {
  return await inFolder(async (folder) => {
    const { store } = await open(folder, join(home, version, file));
    const kit = openOn(store, pause);
    await kit.server.ready();
    const lost: string[] = [];
    for (const { title, check } of storedFacts.filter(({ title }) => title in held)) {
      await check(kit, held[title]).catch((cause) => lost.push(`${title}: ${cause.stack}`));
    }
    await kit.server.close();
    return lost;
  });
}

for (const version of versions) {
  const held: Held = JSON.parse(readFileSync(join(home, version, "held.json"), "utf8"));

  describe(`Data that version ${version} stored`, () => {
    it("has a check for each fact", () => {
      const titles = storedFacts.map(({ title }) => title);
      const made = Object.values(held).flatMap((facts) => Object.keys(facts));
      assertEquals(made.filter((title) => !titles.includes(title)), []);
      assertEquals(Object.keys(held), dumpedStores.map(({ name }) => name));
    });

    for (const store of dumpedStores) {
      it(`is complete in ${store.name}, and works`, { skip: store.skip }, async () => {
        assertEquals(await lostIn(version, store, held[store.name]), []);
      });
    }
  });
}
