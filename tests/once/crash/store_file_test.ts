import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { loadBy } from "../../../scripts/trials/crash.ts";
import { createLedger, findLosses } from "../../../scripts/trials/load.ts";
import { createRandom } from "../../../scripts/trials/numbers.ts";
import { commandOn } from "../../../scripts/trials/process.ts";
import { withServer, writeTrialConfig } from "../../../scripts/trials/server.ts";
import { createTrialUser } from "../../../scripts/trials/user.ts";
import { inFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { present } from "../../support/present.ts";
import { commandFor, runProgram } from "../../support/program.ts";

/** Limits files to a megabyte, and makes writes beyond that fail instead of ending the process. */
const withSmallDisk = ["sh", "-c", 'trap "" XFSZ; ulimit -f 2048; exec "$@"', "sh"];

/** Makes the folder read-only, for this process and in its own view of the files. */
const withReadOnlyFolder = (folder: string) => [
  ...["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"],
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  folder,
];

const [tryMount = "", ...mountArgs] = [...withReadOnlyFolder(process.cwd()), "true"];
const mountMissing = spawnSync(tryMount, mountArgs).status === 0
  ? false
  : "this system allows no mounts in a user namespace";

const storeIn = (folder: string) => `sqlite:${join(folder, "hallpass.db")}`;

const command = await commandOn("deno");

/** Writes the configuration of a server with its store in a folder. */
const configIn = (folder: string, storeFolder = folder) =>
  writeTrialConfig(folder, { store: storeIn(storeFolder) });

/** Runs a server that is not expected to start. */
async function failToStart(config: string, wrap: string[] = []) {
  const command = [...wrap, ...commandFor("src/main.ts")];
  return await runProgram(["serve", "--config", config], {}, "", command);
}

/** Runs a command that, unlike a server, does not wait for the store. */
async function failToList(config: string, wrap: string[] = []) {
  const command = [...wrap, ...commandFor("src/main.ts")];
  return await runProgram(["user", "list", "--config", config], {}, "", command);
}

const it = itWith({ inFolder: { around: inFolder<void> } });

describe("A server whose disk is full", () => {
  it.inFolder("responds with 503, goes on reading, and loses nothing it had acknowledged", async (folder) => {
    await withServer({ command, store: storeIn(folder), folder }, async (server) => {
      const user = createTrialUser(server.kit());
      await user.signIn();
      const ledger = createLedger();
      const isOver = () => ledger.refused > 20;
      await server.stop("SIGKILL");
      await server.start([...withSmallDisk, ...command]);
      await loadBy(user, { ledger, random: createRandom(1), isOver });
      const [token] = [...ledger.promises].find(([, kind]) => kind === "accessToken") ?? [];
      assert(await user.isActive(present(token)));
      await server.stop("SIGKILL");
      await server.start();
      assertEquals(await findLosses(user, ledger), []);
    });
  });

  it.inFolder("R9: names the store, with an exit code that means: try again", async (folder) => {
    const config = await configIn(folder);
    const wrap = withSmallDisk.map((part) => part.replace("2048", "8"));
    const { code, output } = await failToList(config, wrap);
    assertEquals(code, 3, output);
    assertMatch(output, /^The store sqlite:\S+ cannot be opened: the disk is full, or fails/m);
  });
});

describe("A server that cannot use its file", () => {
  it("names a file on a read-only file system", { skip: mountMissing }, async () => {
    await inFolder(async (folder) => {
      const config = await configIn(folder);
      const { code, output } = await failToStart(config, withReadOnlyFolder(folder));
      assertEquals([code, output.split("\n").length], [2, 2], output);
      assertMatch(output, /^The store sqlite:\S+ cannot be opened: .*read-only/);
    });
  });

  it.inFolder("names a file that is no database, and does not change it", async (folder) => {
    const config = await configIn(folder);
    const path = join(folder, "hallpass.db");
    const content = "These are the minutes of our meeting. ".repeat(500);
    await writeFile(path, content);
    const { code, output } = await failToStart(config);
    assertEquals([code, output.split("\n").length], [2, 2], output);
    assertMatch(
      output,
      /^The store sqlite:\S+ cannot be opened: the file is not a SQLite database/,
    );
    assertEquals(await readFile(path, "utf8"), content);
  });

  it.inFolder("R9: names a file that another process has locked", async (folder) => {
    const config = await configIn(folder);
    const other = new DatabaseSync(join(folder, "hallpass.db"));
    other.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE mine (a); BEGIN EXCLUSIVE");
    const { code, output } = await failToList(config);
    other.close();
    assertEquals([code, output.split("\n").length], [3, 2], output);
    assertMatch(output, /^The store sqlite:\S+ cannot be opened: another process is writing/);
  });

  it.inFolder("names a folder that does not exist", async (folder) => {
    const config = await configIn(folder, join(folder, "missing"));
    const { code, output } = await failToStart(config);
    assertEquals([code, output.split("\n").length], [2, 2], output);
    assertMatch(output, /^The store sqlite:\S+ cannot be opened: .*no such file/);
  });

  it.inFolder("V3: does not start with damaged pages, for good, and prints nothing of them", async (folder) => {
    const config = await configIn(folder);
    let token = "";
    await withServer({ command, store: storeIn(folder), folder }, async (server) => {
      const user = createTrialUser(server.kit());
      const { body } = await user.redeem(await user.signIn());
      token = present(body.access_token);
    });
    await damage(join(folder, "hallpass.db"));
    const { code, output } = await failToStart(config);
    assertEquals(code, 2, output);
    assertMatch(output, /file is damaged; restore a backup/);
    assert(!output.includes(token), output);
  });
});

/** Overwrites all pages but the first. */
async function damage(path: string): Promise<void> {
  // The log would replace damaged pages by newer ones.
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    await file.write(new Uint8Array(size - 4096).fill(0xa5), 0, size - 4096, 4096);
  } finally {
    await file.close();
  }
}
