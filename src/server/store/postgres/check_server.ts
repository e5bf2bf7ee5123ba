import { UnsuitableServerError } from "../store_errors.ts";
import { type PostgresAddress, type PostgresPath, qualify } from "./address.ts";
import type { Sql } from "./driver.ts";

/** Checks that the server takes writes: a replica does not. */
export async function checkWritable(sql: Sql): Promise<void> {
  const [row] = await sql`
    SELECT pg_is_in_recovery() AS is_replica,
      current_setting('transaction_read_only') AS read_only`;
  if (row?.is_replica) {
    throw new UnsuitableServerError("the server is a replica, which only reads. Name its primary");
  }
  if (row?.read_only === "on") {
    throw new UnsuitableServerError("its transactions only read (default_transaction_read_only)");
  }
}

/**
 * Returns the process of PostgreSQL at the other end of a connection; undefined if there is a
 * pooler between. It announces another process at the start of the connection than the one that
 * runs the statement.
 */
export async function findDirectProcess(sql: Sql): Promise<number | undefined> {
  const rows = await sql`SELECT pg_backend_pid() AS pid`;
  // The first result of a connection may begin with gaps.
  const pid = rows.at(-1)?.pid;
  return pid === rows.state?.pid ? pid : undefined;
}

/** Checks that the user may do everything with the rows. */
export async function checkPrivileges(sql: Sql, schema: string | undefined): Promise<void> {
  const denied = await sql`
    SELECT privilege FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE NOT has_table_privilege(${qualify("hallpass_rows", schema)}, privilege)`;
  if (denied.length === 0) return;
  const names = denied.map(({ privilege }) => privilege).join(", ");
  throw new UnsuitableServerError(`the user may not ${names} in the table hallpass_rows`);
}

/** Returns warnings about lost writes, unencrypted connections, failovers and poolers. */
export async function serverWarnings(
  sql: Sql,
  address: PostgresAddress,
  { isPooled }: PostgresPath,
): Promise<string[]> {
  const [row = {}] = await sql`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
      current_setting('synchronous_standby_names') AS standbys,
      current_setting('statement_timeout') AS timeout`;
  const { hosts, sslMode } = address;
  const isEncrypted = sslMode === "require" || sslMode === "verify-full";
  const isHere = hosts.every(({ host }) => /^(localhost|127\..*|::1)$/.test(host));
  return [
    ...unsafeSettings(row),
    ...!isEncrypted && !isHere
      ? [
        "The connection to PostgreSQL is not certain to be encrypted. " +
        "Add ?sslmode=verify-full to its URL, or sslmode=require if the authority of its " +
        "certificate is unknown here.",
      ]
      : [],
    ...hosts.length > 1 && row.standbys === ""
      ? [
        "A failover of PostgreSQL may undo acknowledged writes, " +
        "because no standby is synchronous: sign-outs and revocations, used codes, " +
        "new users and clients. Set synchronous_standby_names.",
      ]
      : [],
    ...isPooled && row.timeout === "0"
      ? [
        "A connection pooler is between this server and PostgreSQL, so the server cannot set a " +
        "time limit for statements. Set one: ALTER ROLE … SET statement_timeout = '6s'.",
      ]
      : [],
  ];
}

function unsafeSettings(row: Record<string, unknown>): string[] {
  const unsafe = ["fsync", "commit"].filter((name) => row[name] === "off");
  return unsafe.map((name) =>
    `PostgreSQL responds before it writes to the disk (${
      name === "commit" ? "synchronous_commit" : name
    } off). If its machine crashes, the last used codes and refresh tokens become valid again. ` +
    "Turn it on."
  );
}
