import { type AdminContext, recordChange } from "../../server/issuer/admin/changes.ts";
import { AdminError } from "../../server/issuer/admin/directory_entries.ts";
import type { Extent } from "../../server/issuer/admin/extent.ts";
import { keyState, type StoredKey } from "../../server/issuer/keys/key_ring.ts";
import { planRotation, retireKey, rotateKey } from "../../server/issuer/keys/rotate_keys.ts";
import { changeCommand } from "../administration/change_command.ts";
import { type StoreCall, storeCommand } from "../administration/store_access.ts";
import type { Command } from "../command_line/command.ts";
import { printRows, type TableRow } from "../command_line/listing.ts";

/** Lists the signing keys. */
export const keyList: Command = storeCommand({
  name: "key list",
  help: "lists the signing keys",
  run: listKeys,
});

/** Makes the next key of each algorithm. */
export const keyRotate: Command = storeCommand({
  name: "key rotate",
  help: "makes the next key of each algorithm; servers publish it within a minute, and sign with " +
    "it after the overlap",
  run: rotateKeys,
});

/** Removes a key that has leaked. */
export const keyRemove: Command = changeCommand({
  name: "key remove",
  operandName: "KID",
  help: "removes a key that has leaked; everything it signed becomes invalid",
  confirm: async (ctx, kid) => {
    await checkKeyExists(ctx, kid);
    return `the key '${kid}', with which everything that it signed becomes invalid`;
  },
  change: removeKey,
});

async function listKeys({ ctx, invocation, terminal }: StoreCall): Promise<void> {
  const keys = await ctx.keys.list();
  const configured = (await ctx.keys.configured()).map(({ kid, alg }) => configuredRow(kid, alg));
  const rows = [...configured, ...keys.map((key) => rowOf(key, keys, ctx.now()))];
  printRows(invocation, terminal, rows, "There are no keys yet: a server makes them on demand.");
}

async function rotateKeys(call: StoreCall): Promise<void> {
  const { algs, waiting } = await planRotation(call.ctx);
  if (algs.length === 0) throw new AdminError(noRotationProblem(waiting));
  await recordChange(call.ctx, "keys");
  await rotateKey(call.ctx);
  await listKeys(call);
}

function noRotationProblem(waiting: readonly StoredKey[]): string {
  if (waiting.length === 0) {
    return "No key was created: the store has none that rotates. A server creates them on demand.";
  }
  const keys = waiting.map(({ alg, kid, from = 0 }) =>
    `${alg} from ${new Date(from).toISOString()} (${kid})`
  );
  return `No key was created: the next one is already waiting: ${keys.join(", ")}. If a key has ` +
    "leaked, use: hallpass key remove";
}

async function removeKey(ctx: AdminContext, kid: string): Promise<Extent> {
  await checkKeyExists(ctx, kid);
  await recordChange(ctx, kid);
  await retireKey(ctx, kid);
  return { keys: 1 };
}

async function checkKeyExists(ctx: AdminContext, kid: string): Promise<void> {
  const keys = await ctx.keys.list();
  if (!keys.some((key) => key.kid === kid)) throw new AdminError(`There is no key '${kid}'.`);
}

/** A key of the configuration has no row in the store. */
function configuredRow(kid: string, alg: string): TableRow {
  return { kid, alg, state: "configured", from: "", sealed: "" };
}

function rowOf(key: StoredKey, keys: readonly StoredKey[], now: number): TableRow {
  const { kid, alg, from, encryptedKey } = key;
  return {
    kid,
    alg,
    state: keyState(key, keys, now),
    from: from === undefined ? "" : new Date(from).toISOString(),
    sealed: encryptedKey.startsWith("sealed:") ? "yes" : "no",
  };
}
