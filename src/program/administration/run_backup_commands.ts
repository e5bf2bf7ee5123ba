import { readDatabaseUrl } from "../../server/store/database_url.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { type Invocation, operandOf, sqlitePath } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import {
  type Configuration,
  listenAddressOf,
  readConfiguration,
} from "../configuration/configuration.ts";
import type { ServerConfig } from "../configuration/program_config.ts";
import { checkSecretsPresent } from "../configuration/secret_variables.ts";
import { encryptsKeys } from "../features/encryption_at_rest/configuration.ts";
import type { BackupContent } from "../operate/sqlite_backup.ts";
import { success, UsageError } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { actionOf, requireStore, withStore } from "./configured_store.ts";

/** Whether features protect the keys in the store of a server. */
const keyProtections: ReadonlyArray<(server: ServerConfig) => boolean> = [
  encryptsKeys,
];

/** Copies the store into a new file. */
export async function backUpStore(invocation: Invocation, terminal: Terminal): Promise<number> {
  const file = operandOf(invocation, "FILE");
  const configuration = await readConfiguration(invocation, terminal.environment);
  const { path, issuer } = storeFileOf(invocation, configuration);
  const { backUp } = await import("../operate/sqlite_backup.ts");
  const content = await backUp(path, file, { issuer, madeAt: new Date().toISOString() });
  await noteBackup(invocation, terminal, { configuration, file, path });
  const hasSecret = keyProtections.some((protects) => protects(configuration.server));
  const encryptedKeys = hasSecret && !content.hasClearText;
  const text = `Copied ${describeContent(content)} to ${file}.`;
  const result = { file, ...contentOf(content), encryptedKeys };
  printResult(invocation, terminal, result, `${text}\n${describeKeys(hasSecret, encryptedKeys)}`);
  return success;
}

function describeKeys(hasSecret: boolean, encryptedKeys: boolean): string {
  if (encryptedKeys) {
    return "Its keys are encrypted: keep the HALLPASS_SECRET as well, in another place.";
  }
  const reason = hasSecret ? ", which a server encrypts when it starts with HALLPASS_SECRET" : "";
  return `It contains signing keys or secrets in clear text${reason}: keep it as safe as the store ` +
    "itself.";
}

/** Lets `hallpass log` and `hallpass check` know of a backup. It is good without that, too. */
async function noteBackup(
  invocation: Invocation,
  terminal: Terminal,
  { configuration, file, path }: { configuration: Configuration; file: string; path: string },
): Promise<void> {
  const action = actionOf(invocation, terminal.environment);
  const access = { configuration, store: `sqlite:${path}`, action };
  await withStore(access, ({ changes }) => changes.record(file)).catch((cause) => {
    terminal.printError(`warning: hallpass log does not know of this backup: ${messagesOf(cause)}`);
  });
}

export async function restoreStore(invocation: Invocation, terminal: Terminal): Promise<number> {
  const file = operandOf(invocation, "FILE");
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkSecretsPresent(configuration);
  const { path, issuer } = storeFileOf(invocation, configuration);
  const { inspectBackup } = await import("../operate/sqlite_backup.ts");
  const content = inspectBackup(file);
  checkIssuer(file, content, issuer);

  const { prepareRestore, replaceStore } = await import("../operate/sqlite_restore.ts");
  const prepared = await prepareRestore(file, path);
  const keptAs = `${path}.replaced-${new Date().toISOString().replaceAll(":", "-")}`;
  try {
    const action = actionOf(invocation, terminal.environment);
    const store = `sqlite:${prepared.path}`;
    await withStore({ configuration, store, action }, ({ changes }) => changes.record(file));
    const replaced = replaceStore(prepared, path, keptAs);
    const kept = replaced ? { kept: keptAs } : {};
    const text = [
      `Restored ${describeContent(content)} from ${file}${describeOrigin(content)}.`,
      "It does not contain what was issued, changed or revoked after it was made.",
      ...replaced ? [`The store that was there is now ${keptAs}.`] : [],
    ].join("\n");
    printResult(invocation, terminal, { file, ...contentOf(content), ...kept }, text);
  } finally {
    prepared.discard();
  }
  return success;
}

function storeFileOf(
  invocation: Invocation,
  configuration: Configuration,
): { path: string; issuer: string } {
  const store = requireStore(invocation, configuration);
  const path = typeof store === "string" ? sqlitePath(store) : undefined;
  if (path === undefined) throw otherStore(invocation, String(store));
  const issuer = configuration.server.issuer ??
    listenAddressOf(configuration, configuration.program.port);
  return { path, issuer };
}

function otherStore({ command }: Invocation, store: string): UsageError {
  const { database } = readDatabaseUrl(store) ?? {};
  if (database === "postgres") {
    return new UsageError(
      `hallpass ${command} works on SQLite stores. PostgreSQL has pg_dump and pg_restore, for ` +
        "the tables hallpass_rows and hallpass_schema.",
    );
  }
  if (database === "redis") {
    return new UsageError(
      `hallpass ${command} works on SQLite stores. Redis has BGSAVE, which writes a file to copy.`,
    );
  }
  return new UsageError(`hallpass ${command} works on SQLite stores: use --store sqlite:PATH.`);
}

/** The tokens of another issuer are worthless here, and its clients and users are not ours. */
function checkIssuer(file: string, { origin }: BackupContent, issuer: string): void {
  if (!origin || origin.issuer === issuer) return;
  throw new UsageError(
    `${file} is a backup of ${origin.issuer}, and this configuration is that of ${issuer}.`,
  );
}

function describeContent({ rows, bytes }: BackupContent): string {
  return `${rows} rows (${Math.ceil(bytes / 1024)} KB)`;
}

function describeOrigin({ origin }: BackupContent): string {
  return origin ? `, made at ${origin.madeAt}` : "";
}

function contentOf({ rows, bytes, origin }: BackupContent) {
  return { rows, bytes, ...origin };
}
