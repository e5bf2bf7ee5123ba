import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { storeProblem } from "../../../src/program/command_line/command.ts";
import { readConfigFile } from "../../../src/program/configuration/config_file.ts";
import { readTls } from "../../../src/program/configuration/program_config.ts";
import { openStore } from "../../../src/program/operate/open_store.ts";
import { exitCodeOf, invalid, unavailable } from "../../../src/program/terminal/exit_code.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { openStrictKit } from "../../support/kit.ts";

const [secret, another] = ["x".repeat(32), "y".repeat(32)];

/** Makes the keys of a server with a secret. */
async function storeWithKeys() {
  const store = memoryStore();
  const { server } = openStrictKit({ store, secret });
  await server.ready();
  return { store, keys: server.context.records.keys };
}

const it = itWith({ inFolder: { around: inFolder<void> } });

describe("A mistake of an operator", () => {
  it.inFolder("Y5: is none if a configuration begins with a byte order mark", async (folder) => {
    const path = join(folder, "hallpass.json");
    await writeFile(path, '\ufeff{ "issuer": "https://id.example" }');
    assertEquals((await readConfigFile(path, {})).server, { issuer: "https://id.example" });
  });

  it.inFolder("Y5: is explained for a folder in the place of a configuration", async (folder) => {
    const message = `The file ${folder} cannot be read: ${folder} is a folder; name a file`;
    const { message: found } = await assertRejects(() => readConfigFile(folder, {}), Error);
    assertEquals(found, message);
  });

  it("has the exit code 3 if a certificate is missing, which may come later", async () => {
    const reading = readTls({ cert: "/nothing/here.pem", key: "/nothing/here.pem" });
    const cause = await assertRejects(() => reading, Error, "/nothing/here.pem cannot be read");
    assertEquals(exitCodeOf(cause), unavailable);
  });

  it("has the exit code 2 if a certificate cannot be read, as waiting would not help", async () => {
    const cause = await assertRejects(
      () => readTls({ cert: "/", key: "/" }),
      Error,
      "cannot be read",
    );
    assertEquals(exitCodeOf(cause), invalid);
  });

  it("Y5: is explained for a SQLite store without a path", async () => {
    const opening = () => openStore("sqlite:", { isRealTime: true });
    await assertRejects(opening, Error, "The store must be memory, sqlite:PATH, postgres:");
    assertEquals(storeProblem("sqlite:")?.startsWith("must be memory, sqlite:PATH"), true);
  });

  const secrets = [["another secret", another], ["no secret", undefined]] as const;
  for (const [what, other] of secrets) {
    it(`Y5: has the exit code 2 for ${what} than that of the store`, async () => {
      const { store } = await storeWithKeys();
      const { server } = openStrictKit({ store, ...other !== undefined && { secret: other } });
      const cause = await assertRejects(() => server.ready());
      assertEquals(exitCodeOf(cause), invalid);
    });
  }

  for (const damage of ["sealed:2:AAAA.BBBB", "sealed:2:!", '{"kty":"RSA"}', "not a key"]) {
    it(`Y5: has the exit code 2 for a damaged key: ${damage}`, async () => {
      const { store, keys } = await storeWithKeys();
      for (const [id, row] of await keys.list()) {
        const { expiresAt } = await keys.get(id) ?? { expiresAt: 0 };
        await keys.put(id, { ...row, encryptedKey: damage }, expiresAt);
      }
      const cause = await assertRejects(() => openStrictKit({ store, secret }).server.ready());
      assertEquals(exitCodeOf(cause), invalid, `${cause}`);
    });
  }

  const damages: Record<string, [act: (path: string) => unknown, message: RegExp]> = {
    "a row that is not JSON": [(path) => {
      const database = new DatabaseSync(path);
      database.exec("UPDATE rows SET value = 'x' || value WHERE kind = 'key'");
      database.close();
    }, /^Cannot start the server: The row 'key \S+' in the store is damaged; restore a backup\.$/m],
    "pages of zeros": [
      async (path) => await writeFile(path, (await readFile(path)).fill(0, 4096 * 2, 4096 * 3)),
      /^The store \S+ cannot be opened: the SQLite file is damaged; restore a backup$/m,
    ],
  };
  for (const [what, [damage, message]] of Object.entries(damages)) {
    it.inFolder(`V3: has the exit code 2 for ${what} in a SQLite store, so that no unit restarts for ever`, async (folder) => {
      const path = join(folder, "hallpass.db");
      const store = sqliteStore(path);
      await openStrictKit({ store }).server.ready();
      await store.close();
      await damage(path);
      const config = join(folder, "hallpass.json");
      await writeFile(config, JSON.stringify({ port: 0, store: `sqlite:${path}` }));
      const { code, output } = await runCommandLine(["serve", "--config", config]);
      assertEquals(code, invalid, output);
      assertMatch(output, message);
    });
  }
});
