import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import postgres from "postgres";
import { postgresStore } from "../../../src/server/store/postgres.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { postgresMissing, signalProcess, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";

const skip = postgresMissing;

const year = 365 * 24 * 60 * 60 * 1000;
const nodes = 4;
const callers = 20;
const connections = 5;

// Outside of the tests, which share it. It ends with this process.
const server = skip ? undefined : await startPostgres("fsync=off", "max_connections=60");
const sql = (text: string) => present(server).sql(text);

/** Counts the connections of all stores again and again. */
async function watchConnections() {
  const client = postgres(present(server).url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 60,
    onnotice: () => {},
  });
  const count = async () => {
    const [row] = await client`
      SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'hallpass'`;
    return Number(row?.count);
  };
  let most = await count();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      most = Math.max(most, await count().catch(() => 0));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    count,
    most: () => most,
    async end() {
      ended = true;
      await watching;
      await client.end({ timeout: 1 });
    },
  };
}

/** Keeps every store busy until the function that it returns is called. */
function keepBusy(stores: readonly Store[]) {
  let ended = false;
  let failures = 0;
  const call = async (store: Store, id: string) => {
    while (!ended) {
      await store.put("a", id, { value: id, expiresAt: year }).catch(() => failures++);
      await store.get("a", id).catch(() => failures++);
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  const calls = stores.flatMap((store, node) =>
    Array.from({ length: callers }, (_, n) => call(store, `${node}-${n}`))
  );
  return async () => {
    ended = true;
    await Promise.all(calls);
    return failures;
  };
}

/** The processes of the server. */
async function serverProcesses(): Promise<number[]> {
  const [row] = await sql("SELECT pg_read_file('postmaster.pid') AS text");
  const rows = await sql("SELECT pid FROM pg_stat_activity");
  return [Number(String(row?.text).split("\n")[0]), ...rows.map(({ pid }) => Number(pid))];
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** What goes wrong; each function returns what heals it. */
const faults: Record<string, () => Promise<() => Promise<unknown>>> = {
  "only reads": async () => {
    const change = (value: string) =>
      sql(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await change("on");
    await sql("SELECT pg_reload_conf()");
    await seconds(1);
    return async () => {
      await change("off");
      await sql("SELECT pg_reload_conf()");
    };
  },
  "takes longer than a statement may": async () => {
    await sql(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(5.3); RETURN NEW; END'`);
    await sql(`CREATE TRIGGER hold BEFORE INSERT OR UPDATE ON hallpass_rows
      FOR EACH ROW EXECUTE FUNCTION hold()`);
    await seconds(7);
    return () => sql("DROP FUNCTION hold CASCADE");
  },
  "hangs": async () => {
    const pids = await serverProcesses();
    pids.forEach((pid) => signalProcess(pid, "SIGSTOP"));
    await seconds(8);
    const [, starter] = /^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${pids[0]}/status`, "utf8")) ??
      [];
    // The program that started it has stopped with it.
    return async () => [Number(starter), ...pids].forEach((pid) => signalProcess(pid, "SIGCONT"));
  },
  "restarts": async () => {
    const [postmaster = 0] = await serverProcesses();
    // It ends at once, and its children with it.
    signalProcess(postmaster, "SIGQUIT");
    await seconds(1);
    return () => present(server).start();
  },
};

describe("Y1: The connections of four nodes with twenty callers each", () => {
  for (const [name, begin] of Object.entries(faults)) {
    it(
      `stay within their maximum while the server ${name}, and are gone at the end`,
      { skip },
      async () => {
        const url = `${present(server).url}?connections=${connections}`;
        const stores = await Promise.all(Array.from({ length: nodes }, () => postgresStore(url)));
        const watched = await watchConnections();
        const stop = keepBusy(stores);
        // Calls of the same moment share a connection, so not every node needs all of its own.
        await eventually(async () => assert(watched.most() > nodes));
        const heal = await begin();
        assert(await stop() > 0, "Nothing failed.");
        await heal();
        for (const store of stores) {
          // On a busy machine, a new connection can take longer than we wait for a statement.
          await eventually(() => store.put("a", "1", { value: 1, expiresAt: year }));
        }
        await Promise.all(stores.map((store) => store.close()));
        assert(watched.most() <= nodes * connections, `There were ${watched.most()}.`);
        assertEquals(await watched.count(), 0);
        await watched.end();
      },
    );
  }
});
