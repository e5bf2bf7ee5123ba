import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { postgresStore } from "../../../src/server/store/postgres.ts";
import { redisStore } from "../../../src/server/store/redis.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import type { Store } from "../../../src/server/store/store.ts";
import {
  postgresMissing,
  runPostgresProgram,
  startPostgres,
} from "../../support/postgres_server.ts";
import { redisMissing, type RedisServer, startRedis } from "../../support/redis_server.ts";

/** A store whose rows are written to a file, and read from it. */
export interface DumpedStore {
  name: string;
  skip: string | false;
  /** The name of the file. */
  file: string;
  /** Opens an empty store in a folder, or one with the rows of a file. */
  open(folder: string, file?: string): Promise<OpenedStore>;
}

export interface OpenedStore {
  store: Store;
  /** Returns what the file holds, after the store was closed. */
  dump(): Promise<string | Uint8Array>;
}

/** The stores that outlive their server. */
export const dumpedStores: readonly DumpedStore[] = [
  { name: "SQLite", skip: false, file: "hallpass.db", open: openSqlite },
  { name: "PostgreSQL", skip: postgresMissing, file: "postgres.sql", open: openPostgres },
  { name: "Redis", skip: redisMissing, file: "redis.txt", open: openRedis },
];

async function openSqlite(folder: string, file?: string): Promise<OpenedStore> {
  const path = join(folder, "hallpass.db");
  if (file) await copyFile(file, path);
  return { store: sqliteStore(path), dump: () => readFile(path) };
}

async function openPostgres(_folder: string, file?: string): Promise<OpenedStore> {
  const { url, sql } = await startPostgres();
  if (file) await sql(readFileSync(file, "utf8"));
  return {
    store: await postgresStore(url),
    dump: () => Promise.resolve(dumpPostgres(url)),
  };
}

function dumpPostgres(url: string): string {
  const options = ["--inserts", "--no-owner", "--no-privileges", `--dbname=${url}`];
  // Only the newest programs know these commands, which are not SQL.
  return runPostgresProgram("pg_dump", ...options).replace(/^\\(un)?restrict .*\n/gm, "");
}

async function openRedis(_folder: string, file?: string): Promise<OpenedStore> {
  const server = await startRedis();
  if (file) send(server, readFileSync(file, "utf8"));
  return { store: await redisStore(server.url), dump: () => dumpRedis(server) };
}

/** Returns the commands that make the keys, as `redis-cli` reads them. */
async function dumpRedis({ cli }: RedisServer): Promise<string> {
  const read = async (...command: string[]): Promise<string[]> =>
    (await cli(...command)).split("\n").slice(0, -1);
  const lines: string[] = [];
  for (const key of (await read("KEYS", "*")).toSorted()) {
    const [type] = await read("TYPE", key);
    if (type === "hash") lines.push(command("HSET", key, ...await read("HGETALL", key)));
    if (type === "string") lines.push(command("SET", key, ...await read("GET", key)));
    if (type !== "zset") continue;
    const members = await read("ZRANGE", key, "0", "-1", "WITHSCORES");
    const pairs = members.flatMap((each, at) => at % 2 === 0 ? [members[at + 1] ?? "", each] : []);
    lines.push(command("ZADD", key, ...pairs));
  }
  return `${lines.join("\n")}\n`;
}

function command(...parts: string[]): string {
  return parts.map((part) => JSON.stringify(part)).join(" ");
}

function send({ port }: RedisServer, commands: string): void {
  const { stdout, stderr } = spawnSync("redis-cli", ["-p", `${port}`], { input: commands });
  const problem = /^\(?ERR.*$/m.exec(`${stdout}${stderr}`)?.[0];
  if (problem) throw new Error(`redis-cli failed: ${problem}`);
}
