import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import postgres from "postgres";
import { eventually } from "./eventually.ts";
import { findFreePort } from "./free_port.ts";

const isRoot = process.getuid?.() === 0;
const binaries = findBinaries();

/** Why tests with PostgreSQL are skipped, or false if they can run. */
export const postgresMissing = binaries === undefined
  ? "PostgreSQL's programs are missing: apt-get install postgresql"
  : false;

/**
 * Starts the server, and again after its end when the file `start` appears. A server that refuses to
 * start (status 1) is started again: a killed one may still have a process that uses its shared
 * memory, and its port may belong to a connection of another test for a moment. When the process of
 * the test ends, however it does, the standard input closes, and the server and its files go too: if
 * it was killed, its number may belong to another process by now.
 */
const wrap = `
  while :; do
    while "$@"; [ $? -eq 1 ]; do sleep 0.1; done
    until [ -e "$0/start" ]; do sleep 0.02; done
    rm "$0/start"
  done &
  cat
  pid=$(head -n 1 "$0/data/postmaster.pid")
  grep -qs "$0" "/proc/$pid/cmdline" && kill -9 "$pid"
  rm -rf "$0"
  kill -9 0`;

/** A PostgreSQL server of a test. It ends with the process of the test, and its files with it. */
export interface PostgresServer {
  port: number;
  /** With the database `postgres`, as a user who may do everything. */
  url: string;
  /** Runs SQL as that user. */
  sql(text: string): Promise<ReadonlyArray<Record<string, unknown>>>;
  /** Ends the server at once. Its files stay for the next start. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and with its files. */
  start(): Promise<void>;
}

/** Starts a server on a free port. It asks the user `guest` for a password, and nobody else. */
export function startPostgres(...settings: string[]): Promise<PostgresServer> {
  return startWithFiles({}, settings);
}

/** Starts a standby of a server. `SELECT pg_promote()` makes it take writes. */
export function startStandby({ port }: PostgresServer): Promise<PostgresServer> {
  const primary = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "owner"];
  return startIn(
    (data) => [
      ...asPostgres("pg_basebackup", "-D", data, ...primary),
      ...["--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
    ],
    {},
    [],
  );
}

/** Starts a server that takes connections with TLS, and others. */
export function startPostgresWithTls(cert: string, key: string): Promise<PostgresServer> {
  // The names are PostgreSQL's defaults.
  return startWithFiles({ "server.crt": cert, "server.key": key }, ["ssl=on"]);
}

/** Runs one of PostgreSQL's programs, as a client, and returns what it prints. */
export function runPostgresProgram(name: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(binaries ?? "", name), args);
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return stdout.toString();
}

function startWithFiles(
  files: Readonly<Record<string, string>>,
  settings: string[],
): Promise<PostgresServer> {
  const options = ["-A", "trust", "-U", "owner", "--no-sync", "--encoding=UTF8"];
  return startIn((data) => asPostgres("initdb", "-D", data, ...options), files, settings);
}

/** Returns a command that runs one of PostgreSQL's programs as its own user. */
function asPostgres(name: string, ...args: string[]): string[] {
  const user = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  return [...user, join(binaries ?? "", name), ...args];
}

/** Starts a server with the files that a command creates, and others. */
async function startIn(
  create: (data: string) => string[],
  files: Readonly<Record<string, string>>,
  settings: string[],
): Promise<PostgresServer> {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "hallpass-postgres-"));
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  await chmod(folder, 0o755);
  if (isRoot) await chown(data, ...idsOf("postgres"));
  const [creator = "", ...creation] = create(data);
  const created = spawnSync(creator, creation);
  if (created.status !== 0) throw new Error(`${creation} failed: ${created.stderr}`);
  const rules = [
    "host all guest all scram-sha-256",
    "host all all all trust",
    "host replication owner all trust",
  ];
  await writeFile(join(data, "pg_hba.conf"), rules.join("\n"));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    if (isRoot) await chown(join(data, name), ...idsOf("postgres"));
  }
  const all = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${data}`];
  const command = asPostgres(
    "postgres",
    ...["-D", data],
    ...[...all, ...settings].flatMap((setting) => ["-c", setting]),
  );
  const wrapper = spawn("sh", ["-c", wrap, folder, ...command], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a process group of its own, which ends as a whole.
    detached: true,
  });
  wrapper.unref();

  async function sql(text: string) {
    const client = postgres({
      host: "127.0.0.1",
      port,
      user: "owner",
      pass: "none",
      database: "postgres",
      ssl: false,
      max: 1,
      fetch_types: false,
      onnotice: () => {},
    });
    try {
      return [...await client.unsafe(text)];
    } finally {
      await client.end({ timeout: 1 });
    }
  }

  const untilReady = () => eventually(() => sql("SELECT 1"));

  await untilReady();
  return {
    port,
    url: `postgres://owner@127.0.0.1:${port}/postgres`,
    sql,
    async kill() {
      const [row] = await sql("SELECT pg_read_file('postmaster.pid') AS text");
      const sessions = await sql("SELECT pid FROM pg_stat_activity");
      signalProcess(String(row?.text).split("\n")[0]);
      // They would end by themselves, but may respond until then.
      for (const { pid } of sessions) signalProcess(pid);
      while (await accepts(port)) continue;
    },
    async start() {
      await writeFile(join(folder, "start"), "");
      await untilReady();
    },
  };
}

/** Whether a port takes connections. The driver would report a reset after its query has failed. */
export function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Signals a process, which may have ended already. */
export function signalProcess(pid: unknown, signal: string = "SIGKILL"): void {
  try {
    process.kill(Number(pid), signal);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause;
  }
}

/** Debian keeps the programs of a server out of the path. */
function findBinaries(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}

function idsOf(user: string): [uid: number, gid: number] {
  const id = (flag: string) => Number(spawnSync("id", [flag, user]).stdout.toString());
  return [id("-u"), id("-g")];
}
