import { AdminError } from "../issuer/admin/admin_error.ts";
import type { Context } from "../issuer/context.ts";
import { stateOf, type StoredKey } from "../issuer/keys/key_ring.ts";
import { retireKey, rotateKey } from "../issuer/keys/rotate_keys.ts";
import { change } from "./change.ts";
import type { Command } from "./command.ts";
import { printLines, type TableRow } from "./listing.ts";
import { storeOptions, withContext } from "./with_context.ts";

const none = "There are no keys yet: a server makes them when it needs them.";

/** What an operator can do with the signing keys of a store. */
export const keyCommands: readonly Command[] = [
  {
    name: "key list",
    help: "lists the signing keys",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(
        invocation,
        terminal,
        async (ctx) => printLines(invocation, terminal, await linesOf(ctx), none),
      ),
  },
  {
    name: "key rotate",
    help:
      "makes the next key of each algorithm: servers show it within a minute, and sign with it after the overlap",
    options: storeOptions,
    run: (invocation, terminal) =>
      withContext(invocation, terminal, async (ctx) => {
        await rotateKey(ctx);
        return printLines(invocation, terminal, await linesOf(ctx), none);
      }),
  },
  change(
    ["key remove", "KID"],
    "takes a key back that is in wrong hands: whatever it signed is void",
    removeKey,
  ),
];

async function removeKey(ctx: Context, kid: string): Promise<void> {
  if (!await retireKey(ctx, kid)) throw new AdminError(`There is no key '${kid}'.`);
}

async function linesOf(ctx: Context): Promise<TableRow[]> {
  const keys = await ctx.keys.list();
  return keys.map((key) => lineOf(key, keys, ctx.now()));
}

function lineOf(key: StoredKey, keys: readonly StoredKey[], now: number): TableRow {
  const { kid, alg, from, encryptedKey } = key;
  const since = from === undefined ? "" : new Date(from).toISOString();
  return {
    kid,
    alg,
    state: stateOf(key, keys, now),
    from: since,
    sealed: encryptedKey.startsWith("sealed:") ? "yes" : "no",
  };
}
