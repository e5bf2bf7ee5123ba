import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findFreePort } from "../../support/free_port.ts";
import {
  accepts,
  postgresMissing,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres_server.ts";

const isRoot = process.getuid?.() === 0;

/** Why tests with PgBouncer are skipped, or false if they can run. */
export const pgbouncerMissing = postgresMissing ||
  (spawnSync("pgbouncer", ["--version"]).error
    ? "pgbouncer is missing: apt-get install pgbouncer"
    : false);

/** A PostgreSQL server, and PgBouncer before it. Both end with the process of the test. */
export interface PooledPostgres {
  server: PostgresServer;
  /** The address of PgBouncer. */
  url: string;
}

/** Starts PgBouncer as it is configured by default, beside what it must be told. */
export async function startPgbouncer(poolMode: "transaction" | "session"): Promise<PooledPostgres> {
  const server = await startPostgres("fsync=off");
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "hallpass-pgbouncer-"));
  await chmod(folder, 0o755);
  const settings = `
    [databases]
    * = host=127.0.0.1 port=${server.port} user=owner
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${poolMode}
    default_pool_size = 5`;
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.replaceAll(/^ +/gm, ""));
  const user = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  const end = 'cat; rm -rf "$0"; kill -9 0';
  spawn("sh", ["-c", `"$@" & ${end}`, folder, ...user, "pgbouncer", "--quiet", file], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a process group of its own, which ends as a whole.
    detached: true,
  }).unref();
  while (!await accepts(port)) await new Promise((resolve) => setTimeout(resolve, 20));
  return { server, url: `postgres://owner@127.0.0.1:${port}/postgres` };
}
