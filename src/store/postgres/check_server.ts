import { UnsuitableServerError } from "../unsuitable_server.ts";
import type { PostgresAddress } from "./address.ts";
import type { Sql } from "./driver.ts";

/** Checks that the server takes writes: a replica does not. */
export async function checkWritable(sql: Sql): Promise<void> {
  const [row] = await sql`
    SELECT pg_is_in_recovery() AS is_replica, current_setting('transaction_read_only') AS read_only`;
  if (row?.is_replica) {
    throw new UnsuitableServerError("the server is a replica, which only reads. Name its primary");
  }
  if (row?.read_only === "on") {
    throw new UnsuitableServerError("its transactions only read (default_transaction_read_only)");
  }
}

/** Checks that the user may do everything with the rows. */
export async function checkPrivileges(sql: Sql): Promise<void> {
  const denied = await sql`
    SELECT privilege FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE NOT has_table_privilege('hallpass_rows', privilege)`;
  if (denied.length === 0) return;
  const names = denied.map(({ privilege }) => privilege).join(", ");
  throw new UnsuitableServerError(`the user may not ${names} in the table hallpass_rows`);
}

/** Returns what a crash may lose, and who may listen, as warnings for the operator. */
export async function serverWarnings(sql: Sql, address: PostgresAddress): Promise<string[]> {
  const [row] = await sql`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`;
  const unsafe = ["fsync", "commit"].filter((name) => row?.[name] === "off");
  return [
    ...unsafe.map((name) =>
      `PostgreSQL responds before it writes to the disk (${
        name === "commit" ? "synchronous_commit" : name
      } off). If its machine crashes, the last used codes and refresh tokens become valid again. ` +
      "Turn it on."
    ),
    ...isOpenToListeners(address)
      ? [
        "The connection to PostgreSQL is not certain to be encrypted. Add ?sslmode=verify-full to " +
        "its URL, or sslmode=require if the authority of its certificate is unknown here.",
      ]
      : [],
  ];
}

function isOpenToListeners({ hosts, sslMode }: PostgresAddress): boolean {
  const isEncrypted = sslMode === "require" || sslMode === "verify-full";
  return !isEncrypted && !hosts.every(({ host }) => /^(localhost|127\..*|::1)$/.test(host));
}
