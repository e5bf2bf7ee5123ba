import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../support/folder.ts";
import { type Program, runProgram, startProgram } from "../support/program.ts";

const secret = { HALLPASS_SECRET: "s".repeat(32) };

interface Machine {
  run(args: string, env?: Record<string, string>, input?: string): ReturnType<typeof runProgram>;
  start(): Promise<Program>;
  path(name: string): string;
}

/** A folder with a configuration, in which servers and commands run. */
async function onMachine(act: (machine: Machine) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = (name: string) => join(folder, name);
    const config = {
      port: 0,
      alg: "ES256",
      store: `sqlite:${path("store.db")}`,
      clients: [{ id: "app", secret: "a".repeat(40), grantTypes: ["client_credentials"] }],
    };
    await writeFile(path("hallpass.json"), JSON.stringify(config));
    const common = ["--config", path("hallpass.json")];
    await act({
      path,
      run: (args, env = secret, input = "") =>
        runProgram([...args.split(" "), ...common], env, input),
      start: () => startProgram(["serve", ...common], secret),
    });
  });
}

/** Returns the keys that a server publishes. */
async function keysOf({ issuer }: Program): Promise<unknown> {
  return await (await fetch(`${issuer}/oauth2/jwks`)).json();
}

describe("hallpass backup and restore", () => {
  it("bring back users and keys, and so all tokens, after a store was lost", async () => {
    await onMachine(async ({ run, start, path }) => {
      const first = await start();
      const keys = await keysOf(first);
      assertEquals((await run("user add dora", secret, "a password")).code, 0);
      const made = await run(`backup ${path("backup.db")}`);
      assertEquals(made.code, 0, made.output);
      assertMatch(made.output, /^Copied \d+ rows \(\d+ KB\) to .*backup\.db\.\n.*HALLPASS_SECRET/);

      const refused = await run(`restore ${path("backup.db")}`);
      assertEquals(refused.code, 1);
      assertMatch(refused.output, /A server uses .*store\.db\. Stop every server/);
      await first.stop();
      await run("user remove dora");

      const restored = await run(`restore ${path("backup.db")}`);
      assertEquals(restored.code, 0, restored.output);
      assertMatch(restored.output, /is now .*store\.db\.replaced-2/);
      const second = await start();
      assertEquals(await keysOf(second), keys);
      await second.stop();
      assertMatch((await run("user list")).output, /^dora /m);
      assertMatch((await run("log")).output, / restore +.*backup\.db/);
    });
  });

  const other = "x".repeat(32);
  const refusals: Array<[what: string, options: string, env: object, code: number, why: RegExp]> = [
    ["of another issuer", " --issuer https://other.example", secret, 2, /is a backup of http:/],
    ["with another HALLPASS_SECRET", "", { HALLPASS_SECRET: other }, 2, /HALLPASS_SECRET|secret/],
    ["without the secret", "", { HALLPASS_SECRET: "" }, 2, /HALLPASS_SECRET|secret/],
  ];
  it("refuse what does not fit, and leave the store as it is", async () => {
    await onMachine(async ({ run, start, path }) => {
      const server = await start();
      await server.stop();
      await run(`backup ${path("backup.db")}`);
      for (const [what, options, env, code, why] of refusals) {
        const result = await run(`restore ${path("backup.db")}${options}`, { ...env });
        assertEquals(result.code, code, `${what}: ${result.output}`);
        assertMatch(result.output, why, what);
      }
      assert(!existsSync(path("store.db.restoring")));
      const again = await run(`backup ${path("backup.db")}`);
      assertEquals(again.code, 1);
      assertMatch(again.output, /backup\.db exists already\./);
    });
  });

  const stores: Array<[store: string, why: RegExp]> = [
    ["memory", /needs a persistent store/],
    ["postgres://user@127.0.0.1:1/db", /pg_dump/],
    ["redis://127.0.0.1:1", /BGSAVE/],
  ];
  for (const [store, why] of stores) {
    it(`name the means of another store: ${store}`, async () => {
      for (const command of ["backup", "restore"]) {
        const { code, output } = await runProgram([command, "x", "--store", store]);
        assertEquals(code, 2);
        assertMatch(output, why);
      }
    });
  }
});
