import type { KeyAlgorithm } from "../../model/signing.ts";
import type { Context } from "../context.ts";
import { compareClocks, maxClockDifference } from "../store_clock.ts";
import {
  activeKey,
  keysOfAlgorithm,
  nextKey,
  signsUntil,
  type StoredKey,
  successorDue,
} from "./key_ring.ts";
import type { SuccessorStart } from "./keys.ts";
import { maxTokenLifetime } from "./published_keys.ts";

/**
 * Creates the successors that are due, and drops keys that no unexpired token depends on. Does
 * neither while the server's clock is wrong.
 */
export async function maintainKeys(ctx: Context): Promise<void> {
  const { keys, settings } = ctx;
  const due: SuccessorStart = (ordered) => successorDue(ordered, settings.keyRotation, ctx.now());
  const held = await keys.list();
  const algs = [...new Set(held.map((key) => key.alg))];
  const dueAlgs = algs.filter((alg) => due(keysOfAlgorithm(alg, held)) !== undefined);
  const ended = held.filter((key) => signsUntil(key, held) + verifiesFor(ctx) <= ctx.now());
  if (dueAlgs.length + ended.length === 0 || (await compareClocks(ctx)).differs) return;
  for (const alg of dueAlgs) await keys.extend(alg, due);
  for (const key of ended) await drop(ctx, key, "everything that it signed has expired");
}

/** Plans a rotation of all keys. Keys of the configuration do not rotate. */
export async function planRotation(ctx: Context): Promise<{
  algs: KeyAlgorithm[];
  waiting: StoredKey[];
}> {
  const configured = new Set((await ctx.keys.configured()).map(({ alg }) => alg));
  const held = await ctx.keys.list();
  const algs = [...new Set(held.map(({ alg }) => alg))].filter((alg) => !configured.has(alg));
  const waiting = algs.flatMap((alg) => waitingKey(ctx, keysOfAlgorithm(alg, held)) ?? []);
  return { algs: algs.filter((alg) => !waiting.some((key) => key.alg === alg)), waiting };
}

/**
 * Creates the next key of one or all algorithms: it is published now and signs after the overlap.
 */
export async function rotateKey(ctx: Context, alg?: KeyAlgorithm): Promise<void> {
  const algs = alg ? [alg] : (await planRotation(ctx)).algs;
  const from = ctx.now() + ctx.settings.keyRotation.overlap;
  for (const each of algs) {
    await ctx.keys.extend(each, (ordered) => waitingKey(ctx, ordered) ? undefined : from);
  }
}

/**
 * Returns the key that signs next. A key beyond the overlap was created while a clock was ahead,
 * and does not count.
 */
function waitingKey(ctx: Context, ordered: readonly StoredKey[]): StoredKey | undefined {
  const next = nextKey(ordered, ctx.now());
  const latest = ctx.now() + ctx.settings.keyRotation.overlap + maxClockDifference;
  return next && next.from <= latest ? next : undefined;
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
