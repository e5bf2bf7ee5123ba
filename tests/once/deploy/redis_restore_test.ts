import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { redisStore } from "../../../src/server/store/redis.ts";
import { inFolder } from "../../support/folder.ts";
import { redisMissing, type RedisServer, startRedis } from "../../support/redis_server.ts";

const skip = redisMissing;
const expiresAt = 8e15;

/** The command of RUNNING.md that turns a restored `dump.rdb` into append-only files. */
const [, ...toAppendOnly] = /redis-cli (CONFIG) (SET) (appendonly) (yes)/
  .exec(readFileSync(".github/RUNNING.md", "utf8")) ?? [];

/** A server with `appendonly yes`, and where its files and their copies are. */
interface Machine {
  server: RedisServer;
  /** The folder of the server. */
  data: string;
  /** The folder of the copies. */
  copies: string;
  /** Kills the server, as a lost machine does, and deletes all of its files. */
  lose(): Promise<void>;
  /** Starts the server, with a setting of this start alone. */
  startWith(setting: string): Promise<void>;
}

/** Runs a server with one row, whose files were copied in both ways. */
async function onMachine(act: (machine: Machine) => Promise<void>): Promise<void> {
  await inFolder(async (copies) => {
    const settings = join(copies, "settings.conf");
    await writeFile(settings, "");
    const server = await startRedis("--include", settings);
    const data = (await server.cli("CONFIG", "GET", "dir")).trim().split("\n")[1] ?? "";
    await put(server, "before the backup");
    await server.cli("BGSAVE");
    await untilPersisted(server);
    await cp(join(data, "dump.rdb"), join(copies, "dump.rdb"));
    await cp(join(data, "appendonlydir"), join(copies, "appendonlydir"), { recursive: true });
    await act({
      server,
      data,
      copies,
      async lose() {
        await server.kill();
        await rm(join(data, "dump.rdb"), { force: true });
        await rm(join(data, "appendonlydir"), { recursive: true, force: true });
      },
      async startWith(setting) {
        await writeFile(settings, setting);
        await server.start();
      },
    });
    await server.kill();
  });
}

async function put(server: RedisServer, id: string): Promise<void> {
  const store = await redisStore(server.url);
  await store.put("a", id, { value: 1, expiresAt });
  await store.close();
}

async function idsIn(server: RedisServer): Promise<string[]> {
  const store = await redisStore(server.url);
  const rows = await store.list("a");
  await store.close();
  return rows.map(([id]) => id);
}

/** Waits until no file is being written, and the append-only files are in use. */
async function untilPersisted({ cli }: RedisServer): Promise<void> {
  const done = ["rdb_bgsave_in_progress:0", "aof_rewrite_in_progress:0"];
  const wanted = [...done, "aof_rewrite_scheduled:0", "aof_enabled:1"];
  while (true) {
    const state = await cli("INFO", "persistence");
    if (wanted.every((line) => state.includes(line))) return;
  }
}

describe("A backup of Redis, as RUNNING.md brings it back", () => {
  it("from appendonlydir needs no other step", { skip }, async () => {
    await onMachine(async ({ server, data, copies, lose, startWith }) => {
      await lose();
      await mkdir(join(data, "appendonlydir"));
      await cp(join(copies, "appendonlydir"), join(data, "appendonlydir"), { recursive: true });
      await startWith("");
      assertEquals(await idsIn(server), ["before the backup"]);
    });
  });

  it("from dump.rdb is read without append-only files, which are then written", {
    skip,
  }, async () => {
    await onMachine(async ({ server, data, copies, lose, startWith }) => {
      await lose();
      await cp(join(copies, "dump.rdb"), join(data, "dump.rdb"));
      await startWith("appendonly no\n");
      assertEquals(await idsIn(server), ["before the backup"]);

      await server.cli(...toAppendOnly);
      await untilPersisted(server);
      await put(server, "since then");
      await server.kill();
      await startWith("");
      assertEquals(await idsIn(server), ["before the backup", "since then"]);
    });
  });

  it("from dump.rdb alone is empty with append-only files, as RUNNING.md warns", {
    skip,
  }, async () => {
    await onMachine(async ({ server, data, copies, lose, startWith }) => {
      await lose();
      await cp(join(copies, "dump.rdb"), join(data, "dump.rdb"));
      await startWith("");
      assertEquals(await idsIn(server), []);
    });
  });
});
