import { readDatabaseUrl } from "../../../server/store/database_url.ts";
import { parsePostgresUrl } from "../../../server/store/postgres/address.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import type { Site } from "../deployment.ts";
import { backupUnit } from "./systemd_snippets.ts";

/** In a unit, systemd reads `$$` as `$`, and `%%` as `%`. Names sort by time. */
const name = "/var/backups/hallpass/hallpass-$$(date +%%FT%%H%%M%%S)";

/** The name of a dump until it is complete. */
const partial = "/var/backups/hallpass/partial.dump";

/** Returns the service that makes one backup of the store. */
export function backupService({ store = "" }: Site): string {
  const { database } = readDatabaseUrl(store) ?? {};
  if (database === "postgres") return postgresBackup(store);
  if (database === "redis") {
    throw new UsageError(
      "Redis is backed up by other means: copy the file that BGSAVE writes, or appendonlydir.",
    );
  }
  return backupUnit("A backup of Hallpass", [
    `ExecStart=/bin/sh -c 'exec /usr/local/bin/hallpass backup ${name}.db'`,
  ]);
}

/** Returns the timer that starts the service every night, or later if the machine was off. */
export function backupTimer(): string {
  return `# /etc/systemd/system/hallpass-backup.timer
[Unit]
Description=A backup of Hallpass every night

[Timer]
OnCalendar=*-*-* 03:00
RandomizedDelaySec=30min
Persistent=true

[Install]
WantedBy=timers.target
`;
}

/**
 * Every user of the machine can read the arguments of a process. So `pg_dump` gets its address from
 * the environment, and the password as well, which systemd reads from its file.
 */
function postgresBackup(store: string): string {
  const { hosts, username, database, schema, sslMode } = parsePostgresUrl(store);
  const table = schema === undefined ? "hallpass_*" : `${schema}.hallpass_*`;
  const dump = `pg_dump --format=custom --table="${table}" --file=${partial}`;
  return backupUnit("A backup of Hallpass, from PostgreSQL", [
    "# The password is PGPASSWORD in hallpass.env.",
    `Environment=PGHOST=${hosts.map(({ host }) => host).join(",")}`,
    `Environment=PGPORT=${hosts.map(({ port }) => port).join(",")}`,
    `Environment=PGUSER=${quote(username)} PGDATABASE=${quote(database)} PGSSLMODE=${sslMode}`,
    `ExecStart=/bin/sh -c '${dump} && mv ${partial} ${name}.dump'`,
  ]);
}

/** Quotes the value of a variable in a unit. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}
