import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { findRowsToReseal } from "../../../src/administration/rows_to_reseal.ts";
import { backUp, inspectBackup } from "../../../src/program/operate/sqlite_backup.ts";
import { createCipher } from "../../../src/server/features/encryption_at_rest/cipher.ts";
import { createClientEncryption } from "../../../src/server/features/encryption_at_rest/feature.ts";
import {
  encryptOutdatedRows,
  eraseReplaced,
} from "../../../src/server/issuer/keys/secrets_at_rest.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { withBatch } from "../../../src/server/store/batch.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { emptyLog, migrate } from "../../../src/server/store/sqlite/schema.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { itWith } from "../../support/it_with.ts";
import { openKit, openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { openStoreFile, type StoreFile, withStore } from "../../support/sqlite_file.ts";

const secret = "the secret that encrypts the keys, of 32 characters";
const later = "the secret that replaces it, of 32 characters or more";
const origin = { issuer: "https://id.example", madeAt: "2026-11-24T08:00:00.000Z" };

const it = itWith({ inFolder: openStoreFile });

/** Returns the members of a private RSA key, each of them random and of its usual length. */
function privateMembers(): Record<string, string> {
  const lengths = { d: 256, p: 128, q: 128, dp: 128, dq: 128, qi: 128 };
  return Object.fromEntries(
    Object.entries(lengths).map((
      [name, length],
    ) => [name, randomBytes(length).toString("base64url")]),
  );
}

/** Adds keys that no server loads, with other rows between them, and returns what is private. */
async function addKeys(store: Store, count: number, others: number): Promise<string[]> {
  const texts: string[] = [];
  for (let n = 0; n < count; n++) {
    const members = privateMembers();
    texts.push(...Object.values(members));
    const encryptedKey = JSON.stringify({ kty: "RSA", n: "n".repeat(342), e: "AQAB", ...members });
    const value = { kid: `old-${n}`, alg: "PS256", from: forever + n, encryptedKey };
    await addOthers(store, others, `before-${n}`);
    await store.put("key", n ? `PS256/${n}` : "PS256", { value, expiresAt: forever });
  }
  await addOthers(store, others, "after");
  for (let n = 0; n < others; n += 2) await store.delete("code", `before-0-${n}`);
  return texts;
}

/** Adds keys, and returns what the first secret seals of them. */
async function sealKeys(store: Store): Promise<string[]> {
  await addKeys(store, 4, 5);
  await openStrictKit({ store, secret }).server.ready();
  return (await store.list("key")).map(([, { value }]) =>
    (value as { encryptedKey: string }).encryptedKey
  );
}

/** Adds short rows and one of more than a page. */
async function addOthers(store: Store, count: number, name: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    const value = "x".repeat(n === 1 ? 6000 : 200 + n * 50);
    await store.put("code", `${name}-${n}`, { value, expiresAt: forever });
  }
}

/** Returns in which files of a folder a part of one of the texts is. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder).filter((name) => {
    const bytes = readFileSync(join(folder, name)).toString("latin1");
    return texts.some((text) => partsOf(text).some((part) => bytes.includes(part)));
  });
}

function partsOf(text: string): string[] {
  const length = 32;
  return Array.from(
    { length: Math.floor(text.length / length) },
    (_, n) => text.slice(n * length, (n + 1) * length),
  );
}

/** Starts a server with a secret, and looks at all files while it runs. */
async function filesAfterStart({ folder, path }: StoreFile, texts: readonly string[]) {
  return await withStore(path, async (store) => {
    await openStrictKit({ store, secret }).server.ready();
    const { hasClearText } = await backUp(path, join(folder, "backup.db"), origin);
    assertEquals(hasClearText, false);
    return filesWith(folder, texts);
  });
}

describe("What was in a SQLite store before it was encrypted", () => {
  for (const others of [0, 5]) {
    for (const count of [1, 2, 4, 8]) {
      const beside = others ? "other rows on their pages" : "nothing else";
      it.inFolder(`T0: ${count} keys, with ${beside}, are in no file after the first start with a secret`, async (files) => {
        const texts = await withStore(files.path, (store) => addKeys(store, count, others));
        assert(filesWith(files.folder, texts).length > 0);
        assertEquals(await filesAfterStart(files, texts), []);
        assertEquals(filesWith(files.folder, texts), []);
      });
    }
  }

  it.inFolder("T0: is in no file, either, if only its log had it", async (files) => {
    const { folder, path } = files;
    const other = sqliteStore(path);
    const texts = await addKeys(other, 4, 5);
    assertEquals(filesWith(folder, texts), ["store.db-wal"]);
    assertEquals(await filesAfterStart(files, texts), []);
    await other.close();
  });

  it.inFolder("T0: is erased at the next start if the server ended in between", async (files) => {
    await withStore(files.path, async (store) => {
      const texts = await addKeys(store, 4, 5);
      const failing = { ...store, erase: () => Promise.reject(new Error("the process ends here")) };
      const start = () => openStrictKit({ store: failing, secret }).server.ready();
      await assertRejects(start, Error, "ends here");
      assert(filesWith(files.folder, texts).length > 0);
      assertEquals(await filesAfterStart(files, texts), []);
      const { context } = openStrictKit({ store, secret }).server;
      assertEquals(await context.records.erasures.list(), []);
    });
  });

  it.inFolder("T0: is not erased while another process reads the log, which is an error", async ({ path }) => {
    await withStore(path, async (store) => {
      await addKeys(store, 1, 0);
      const [reader, writer] = [new DatabaseSync(path), new DatabaseSync(path)];
      reader.exec("BEGIN; SELECT count(*) FROM rows");
      assertThrows(() => emptyLog(writer), Error, "database is locked");
      reader.exec("COMMIT");
      emptyLog(writer);
      for (const each of [reader, writer]) each.close();
    });
  });

  it.inFolder("T0: is erased where another program left it in a page", async ({ folder, path }) => {
    await withStore(path, async (store) => {
      const texts = await addKeys(store, 4, 5);
      const other = new DatabaseSync(path);
      other.exec("PRAGMA secure_delete = OFF; UPDATE rows SET value = '1' WHERE kind = 'key'");
      other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      other.close();
      assertEquals(filesWith(folder, texts), ["store.db"]);
      await store.erase?.();
      assertEquals(filesWith(folder, texts), []);
    });
  });

  it.inFolder("T0: keeps every row, and their order", async ({ path }) => {
    await withStore(path, async (store) => {
      await addKeys(store, 3, 5);
      const before = await store.list("code", { limit: 1000 });
      await store.erase?.();
      assertEquals(await store.list("code", { limit: 1000 }), before);
      assertEquals((await store.list("key")).length, 3);
      assertEquals(await store.add("key", "PS256", { value: 1, expiresAt: 1 }), false);
      assertEquals(await store.sweep(1), 0);
    });
  });

  it.inFolder("T0: a client's secret is in no file after the background has encrypted it", async (files) => {
    const text = randomBytes(40).toString("hex");
    const authentication = ["client_secret_jwt" as const];
    const grantTypes = ["client_credentials"];
    await withStore(files.path, async (store) => {
      const { context } = openKit({ store }).server;
      await addClient(context, { id: "app", secret: text, authentication, grantTypes });
      await addOthers(store, 9, "other");
    });
    assertEquals(filesWith(files.folder, [text]), ["store.db"]);
    const { hasClearText } = inspectBackup(files.path);
    assertEquals(hasClearText, true);
    await withStore(files.path, async (store) => {
      const { context } = openStrictKit({ store, secret }).server;
      await createClientEncryption()(context);
      assertEquals(filesWith(files.folder, [text]), []);
    });
  });

  it.inFolder("T0: what an earlier secret sealed is in no file after it was resealed", async (files) => {
    const { folder, path } = files;
    await withStore(path, async (store) => {
      const sealed = await sealKeys(store);
      const { context } = openStrictKit({ store, secret: later }).server;
      for (const { reseal } of await findRowsToReseal(context, createCipher(secret))) {
        await reseal();
      }
      assert(filesWith(folder, sealed).length > 0);
      await eraseReplaced(context);
      assertEquals(filesWith(folder, sealed), []);
    });
  });

  it.inFolder("T0: what was resealed after another process had erased, and deleted the note, is erased as well", async (files) => {
    const { folder, path } = files;
    await withStore(path, async (store) => {
      const sealed = await sealKeys(store);
      const { context } = openStrictKit({ store, secret: later }).server;
      const rows = await findRowsToReseal(context, createCipher(secret));
      await eraseReplaced(openStrictKit({ store, secret }).server.context);
      for (const { reseal } of rows) await reseal();
      await eraseReplaced(context);
      assertEquals(filesWith(folder, sealed), []);
    });
  });

  it.inFolder("T0: is erased at the start if another server has erased, and deleted the note, meanwhile", async (files) => {
    const { folder, path } = files;
    await withStore(path, async (store) => {
      const texts = await addKeys(store, 4, 5);
      const other = openStrictKit({ store, secret }).server.context;
      const interrupted = withBatch({ ...store }, async (calls) => {
        const results = await present(store.batch)(calls);
        await eraseReplaced(other);
        return results;
      });
      await openStrictKit({ store: interrupted, secret }).server.ready();
      assertEquals(filesWith(folder, texts), []);
    });
  });

  it.inFolder("T0: is erased at the next start if a server ended that replaced it while another one erased", async ({ folder, path }) => {
    await withStore(path, async (store) => {
      const texts = await addKeys(store, 4, 5);
      const ending = openStrictKit({ store, secret }).server.context;
      const erase = async () => {
        await store.erase?.();
        await encryptOutdatedRows(ending);
      };
      const other = openStrictKit({ store: { ...store, erase }, secret }).server.context;
      await other.records.erasures.put("due", "earlier", forever);
      await eraseReplaced(other);
      assert(filesWith(folder, texts).length > 0);
      await eraseReplaced(openStrictKit({ store, secret }).server.context);
      assertEquals(filesWith(folder, texts), []);
    });
  });

  it.inFolder("T0: opens while another process writes", async ({ path }) => {
    await withStore(path, (store) => addKeys(store, 1, 0));
    const writer = new DatabaseSync(path);
    writer.exec("BEGIN IMMEDIATE");
    await withStore(path, async (store) => assertEquals((await store.list("key")).length, 1));
    writer.close();
  });

  it.inFolder("T0: is erased from a store of an earlier version, with advice until a server has started", async (files) => {
    const { folder, path } = files;
    const texts = await withStore(path, (store) => addKeys(store, 4, 5));
    const database = new DatabaseSync(path);
    database.exec(
      `UPDATE rows SET value = '{"kid":"a","alg":"RS256","from":1,"encryptedKey":"sealed:2:"}'
       WHERE kind = 'key'; PRAGMA user_version = 2`,
    );
    database.close();
    assert(filesWith(folder, texts).length > 0);
    const first = sqliteStore(path);
    assertEquals(filesWith(folder, texts), []);
    assertMatch(present(first.warnings?.[0]), /hallpass key rotate/);
    await first.close();
    await withStore(path, async (store) => {
      assertEquals(store.warnings, first.warnings);
      await eraseReplaced(openStrictKit({ store, secret }).server.context);
    });
    await withStore(path, async ({ warnings }) => assertEquals(warnings, []));
  });

  it.inFolder("T0: is erased at the next start if the one that migrated the store ended before its log was copied", async (files) => {
    const { folder, path } = files;
    const texts = await withStore(path, (store) => addKeys(store, 4, 5));
    const ended = new DatabaseSync(path);
    ended.exec(
      "PRAGMA secure_delete = OFF; UPDATE rows SET value = '1' WHERE kind = 'key'; PRAGMA user_version = 2",
    );
    ended.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    migrate(ended);
    assertEquals(filesWith(folder, texts), ["store.db"]);
    await withStore(path, async () => assertEquals(filesWith(folder, texts), []));
    ended.close();
  });
});
