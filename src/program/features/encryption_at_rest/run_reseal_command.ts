import { actionOf, requireStore, withStore } from "../../administration/configured_store.ts";
import { whenUnlocked } from "../../administration/store_command.ts";
import type { Invocation } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { readConfiguration } from "../../configuration/configuration.ts";
import {
  checkSecretsPresent,
  earlierSecretVariable,
} from "../../configuration/secret_variables.ts";
import { success, UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Replaces the secret that encrypts keys in the store. */
export async function runResealCommand(
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const configuration = await readConfiguration(invocation, terminal.environment);
  checkSecretsPresent(configuration);
  const earlier = requireSecrets(configuration.server.secret, terminal);
  const store = requireStore(invocation, configuration);
  const action = actionOf(invocation, terminal.environment);
  // The rows are not those of the new secret yet, so the usual check would fail.
  const access = { configuration, store, action, check: async () => {} };
  await withStore(access, async ({ keys }) => {
    const rows = await keys.findRowsToReseal(earlier).catch(wrongSecrets);
    for (const { reseal } of rows) await whenUnlocked(reseal, terminal);
    await keys.eraseResealed();
    print(invocation, terminal, rows.length);
  });
  return success;
}

function requireSecrets(present: string | undefined, { environment }: Terminal): string {
  const earlier = environment[earlierSecretVariable];
  if (present && earlier && present !== earlier) return earlier;
  throw new UsageError(
    "hallpass key reseal needs two different secrets in the environment: the new one in " +
      `HALLPASS_SECRET, and the one to replace in ${earlierSecretVariable}.`,
  );
}

function wrongSecrets(cause: unknown): never {
  throw new UsageError(
    "Nothing was changed: a row of the store is encrypted with neither HALLPASS_SECRET nor " +
      `${earlierSecretVariable}.`,
    { cause },
  );
}

function print({ values }: Invocation, terminal: Terminal, rows: number): void {
  if (values.has("json")) return terminal.print(printableJson({ rows }));
  if (rows === 0) return terminal.print("Nothing to do: every row has the new secret already.");
  terminal.print(`Encrypted ${rows} ${rows === 1 ? "row" : "rows"} with the new secret.
Start every server with the new HALLPASS_SECRET; a backup keeps the secret that it was made with.
Anyone who had the earlier secret and a copy of the store knows the signing keys, too. To replace
them: hallpass key rotate, then hallpass key remove KID`);
}
