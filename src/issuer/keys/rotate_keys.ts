import type { SigningAlgorithm } from "../../model/signing.ts";
import type { Context } from "../context.ts";
import {
  activeKey,
  keysOfAlgorithm,
  nextKey,
  signsUntil,
  type StoredKey,
  successorDue,
} from "./key_ring.ts";
import { maxTokenLifetime, type SuccessorStart } from "./keys.ts";

/** Creates the successors that are due, and drops keys that no unexpired token depends on. */
export async function maintainKeys(ctx: Context): Promise<void> {
  const { keys, settings } = ctx;
  const held = await keys.list();
  for (const alg of new Set(held.map((key) => key.alg))) {
    const due: SuccessorStart = (ordered) => successorDue(ordered, settings.keyRotation, ctx.now());
    if (due(keysOfAlgorithm(alg, held)) !== undefined) await keys.extend(alg, due);
  }
  for (const key of held) {
    if (signsUntil(key, held) + verifiesFor(ctx) > ctx.now()) continue;
    await drop(ctx, key, "everything that it signed has expired");
  }
}

/**
 * Creates the next key of one or all algorithms: it is published now and signs after the overlap.
 */
export async function rotateKey(ctx: Context, alg?: SigningAlgorithm): Promise<void> {
  const algs = alg ? [alg] : new Set((await ctx.keys.list()).map((key) => key.alg));
  const from = ctx.now() + ctx.settings.keyRotation.overlap;
  for (const each of algs) {
    await ctx.keys.extend(each, (ordered) => nextKey(ordered, ctx.now()) ? undefined : from);
  }
}

/** Revokes a compromised key. If it is the active one, a new key signs from now on. */
export async function retireKey(ctx: Context, kid: string): Promise<boolean> {
  const key = (await ctx.keys.list()).find((each) => each.kid === kid);
  if (!key) return false;
  await ctx.keys.extend(
    key.alg,
    (ordered) => activeKey(ordered, ctx.now())?.kid === kid ? ctx.now() : undefined,
  );
  await drop(ctx, key, "it was retired");
  return true;
}

/**
 * Returns how long a key verifies after it last signed, in milliseconds. An ID token may come back
 * as a hint after it has expired, as long as its user may still be signed in.
 */
function verifiesFor({ settings }: Context): number {
  const { session, refreshToken } = settings.lifetimes;
  return Math.max(session * 1000, refreshToken * 1000) + maxTokenLifetime(settings);
}

async function drop(ctx: Context, key: StoredKey, reason: string): Promise<void> {
  await ctx.keys.drop(key);
  ctx.emit({ type: "key.retired", kid: key.kid, alg: key.alg, reason });
}
