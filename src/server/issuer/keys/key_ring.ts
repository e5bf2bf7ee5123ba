import type { Settings } from "../../config/settings.ts";
import type { KeyAlgorithm } from "../../model/signing.ts";
import type { KeyRow } from "../records/rows.ts";

/**
 * A key, and the id of its row, which has the generation of its algorithm: "RS256", "RS256/1",
 * "RS256/2".
 */
export interface StoredKey extends KeyRow {
  id: string;
}

export function nextKeyId(alg: KeyAlgorithm, keys: readonly StoredKey[]): {
  id: string;
  generation: number;
} {
  const generation = Math.max(-1, ...keys.map(generationOf)) + 1;
  return { id: generation === 0 ? alg : `${alg}/${generation}`, generation };
}

/** Returns the keys of an algorithm in the order in which they sign. */
export function keysOfAlgorithm(alg: KeyAlgorithm, keys: readonly StoredKey[]): StoredKey[] {
  return keys.filter((key) => key.alg === alg).sort((one, other) =>
    one.from - other.from || generationOf(one) - generationOf(other)
  );
}

/**
 * Returns the key that signs now: the last one whose time has come, or the first one if the clock
 * was set back behind them all.
 */
export function activeKey(ordered: readonly StoredKey[], now: number): StoredKey | undefined {
  return ordered.findLast((key) => key.from <= now) ?? ordered[0];
}

/** Returns the key that is published but does not sign yet. */
export function nextKey(ordered: readonly StoredKey[], now: number): StoredKey | undefined {
  const active = activeKey(ordered, now);
  return ordered.find((key) => key.from > now && key !== active);
}

/** Returns whether a key signs, will sign, or has signed. */
export function keyState(
  key: StoredKey,
  keys: readonly StoredKey[],
  now: number,
): "next" | "active" | "retired" {
  const ordered = keysOfAlgorithm(key.alg, keys);
  const active = activeKey(ordered, now);
  if (!active || key === active) return "active";
  return ordered.indexOf(key) > ordered.indexOf(active) ? "next" : "retired";
}

/** Returns the keys that signed, and are missing although no later one replaces them. */
export function lostKeys(
  before: readonly StoredKey[],
  after: readonly StoredKey[],
  now: number,
): StoredKey[] {
  const isFollowed = (key: StoredKey) =>
    after.some((each) =>
      each.kid === key.kid || each.alg === key.alg && generationOf(each) > generationOf(key)
    );
  const signed = before.filter((key) => keyState(key, before, now) === "active");
  return signed.filter((key) => key.supersededAt === undefined && !isFollowed(key));
}

/** Returns when a successor should begin to sign, if it is time to create one. */
export function successorDue(
  ordered: readonly StoredKey[],
  { every, overlap }: Settings["keyRotation"],
  now: number,
): number | undefined {
  const active = activeKey(ordered, now);
  if (every === undefined || !active) return undefined;
  const end = active.from + every;
  const next = nextKey(ordered, now);
  // A key far in the future was created while the clock was ahead, and does not count.
  if (next && next.from <= Math.max(end, now) + every) return undefined;
  return now < end - overlap ? undefined : Math.max(end, now + overlap);
}

/** Returns until when a key signs; Infinity if neither it nor its algorithm has a successor. */
export function signsUntil(key: StoredKey, keys: readonly StoredKey[]): number {
  if (key.supersededAt !== undefined) return key.supersededAt;
  const ordered = keysOfAlgorithm(key.alg, keys);
  const successor = ordered[ordered.indexOf(key) + 1];
  return successor ? successor.from : Infinity;
}

function generationOf({ id, alg }: StoredKey): number {
  return id === alg ? 0 : Number(id.slice(alg.length + 1));
}
