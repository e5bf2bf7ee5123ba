import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { countDirectory, readDirectory } from "../../../src/program/operate/directory.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";

const redirectUris = ["https://app.example/callback"];

/** Returns a store that notes what is listed, and how much of it at once. */
function watchedStore(): { store: Store; listed: Array<[kind: string, rows: number]> } {
  const inner = memoryStore();
  const listed: Array<[string, number]> = [];
  const list: Store["list"] = async (kind, page) => {
    const rows = await inner.list(kind, page);
    listed.push([kind, rows.length]);
    return rows;
  };
  return { store: { ...inner, list }, listed };
}

describe("readDirectory", () => {
  it("reads each client and user once, in pages", async () => {
    const { store, listed } = watchedStore();
    const { context } = createInternalServer({
      issuer: "https://id.example",
      clients: [{ id: "app", redirectUris }],
      users: [{ name: "ada" }],
      store,
    });
    const [client, user] = await Promise.all([
      context.settings.clients.get("app")?.(),
      context.settings.users.get("ada")?.(),
    ]);
    assert(client && user);
    for (let at = 0; at < 250; at++) {
      await context.records.clients.put(`app-${at}`, { ...client, id: `app-${at}` }, forever);
      await context.records.users.put(`ada-${at}`, { ...user, name: `ada-${at}` }, forever);
    }
    listed.length = 0;
    assertEquals(countDirectory(await readDirectory(context)), { clients: 251, users: 251 });
    for (const kind of ["client", "user"]) {
      const pages = listed.filter(([each]) => each === kind).map(([, rows]) => rows);
      assertEquals(pages, [100, 100, 50], kind);
    }
  });
});
