import type { SigningAlgorithm } from "../../model/signing.ts";
import type { Context } from "../context.ts";
import {
  activeOf,
  keysOfAlgorithm,
  nextOf,
  signsUntil,
  type StoredKey,
  successorDue,
} from "./key_ring.ts";
import { maxTokenLifetime } from "./keys.ts";

/** Makes the successors that are due, and drops the keys by which no token stands any more. There is no timer: it is done after requests. */
export async function maintainKeys(ctx: Context): Promise<void> {
  const { keys, settings } = ctx;
  const held = await keys.list();
  for (const alg of new Set(held.map((key) => key.alg))) {
    const due = (ordered: readonly StoredKey[]) =>
      successorDue(ordered, settings.keyRotation, ctx.now());
    if (due(keysOfAlgorithm(alg, held)) !== undefined) await keys.extend(alg, due);
  }
  for (const key of held) {
    if (signsUntil(key, held) + keptFor(ctx) <= ctx.now()) {
      await drop(ctx, key, "all that it signed has ended");
    }
  }
}

/** Makes the next key of an algorithm, or of each: it is shown now, and signs after the overlap. */
export async function rotateKey(ctx: Context, alg?: SigningAlgorithm): Promise<void> {
  const algs = alg ? [alg] : new Set((await ctx.keys.list()).map((key) => key.alg));
  const from = ctx.now() + ctx.settings.keyRotation.overlap;
  for (const each of algs) {
    await ctx.keys.extend(each, (ordered) => nextOf(ordered, ctx.now()) ? undefined : from);
  }
}

/** Takes a key back that is in wrong hands. If it is the one that signs, another one signs from now on. */
export async function retireKey(ctx: Context, kid: string): Promise<boolean> {
  const key = (await ctx.keys.list()).find((each) => each.kid === kid);
  if (!key) return false;
  await ctx.keys.extend(
    key.alg,
    (ordered) => activeOf(ordered, ctx.now())?.kid === kid ? ctx.now() : undefined,
  );
  await drop(ctx, key, "it was taken back");
  return true;
}

/** An ID token may come back as a hint as long as the person may still be signed in by it, and longer than it is valid. */
function keptFor({ settings }: Context): number {
  const { session, refreshToken } = settings.lifetimes;
  return Math.max(session * 1000, refreshToken * 1000) + maxTokenLifetime(settings);
}

async function drop(ctx: Context, key: StoredKey, reason: string): Promise<void> {
  await ctx.keys.drop(key);
  ctx.emit({ type: "key.retired", kid: key.kid, alg: key.alg, reason });
}
