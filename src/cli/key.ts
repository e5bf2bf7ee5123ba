import type { Context } from "../issuer/context.ts";
import type { HeldKey } from "../issuer/keys/key_ring.ts";
import { stateOf } from "../issuer/keys/key_ring.ts";
import { Refused } from "../issuer/admin/refused.ts";
import { retireKey, rotateKey } from "../issuer/keys/rotate_keys.ts";
import { change } from "./change.ts";
import type { Command } from "./command.ts";
import type { Line } from "./listing.ts";
import { printLines } from "./listing.ts";
import { onStore, storeOptions } from "./on_store.ts";

const none = "There are no keys yet: a server makes them when it needs them.";

/** What an operator can do with the signing keys of a store. */
export const keyCommands: readonly Command[] = [
  {
    name: "key list",
    help: "lists the signing keys",
    options: storeOptions,
    run: (call, world) => onStore(call, world, async (ctx) => printLines(call, world, await linesOf(ctx), none)),
  },
  {
    name: "key rotate",
    help: "makes the next key of each algorithm: servers show it within a minute, and sign with it after the overlap",
    options: storeOptions,
    run: (call, world) =>
      onStore(call, world, async (ctx) => {
        await rotateKey(ctx);
        return printLines(call, world, await linesOf(ctx), none);
      }),
  },
  change(["key remove", "KID"], "takes a key back that is in wrong hands: whatever it signed is void", removeKey),
];

async function removeKey(ctx: Context, kid: string): Promise<void> {
  if (!await retireKey(ctx, kid)) throw new Refused(`There is no key '${kid}'.`);
}

async function linesOf(ctx: Context): Promise<Line[]> {
  const keys = await ctx.keys.held();
  return keys.map((key) => lineOf(key, keys, ctx.now()));
}

function lineOf(key: HeldKey, keys: readonly HeldKey[], now: number): Line {
  const { kid, alg, from, sealed } = key;
  const since = from === undefined ? "" : new Date(from).toISOString();
  return { kid, alg, state: stateOf(key, keys, now), from: since, sealed: sealed.startsWith("sealed:") ? "yes" : "no" };
}
