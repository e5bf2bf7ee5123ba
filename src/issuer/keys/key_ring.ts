import type { Settings } from "../../config/settings.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import type { KeyRow } from "../records/rows.ts";

/** A row of a key, with the id that says which generation of its algorithm it is: "RS256", "RS256/1", "RS256/2". */
export interface StoredKey extends KeyRow {
  id: string;
}

function generationOf({ id, alg }: Pick<StoredKey, "id" | "alg">): number {
  return id === alg ? 0 : Number(id.slice(alg.length + 1));
}

/** The id under which whoever comes first puts the next key. */
export function nextId(
  alg: SigningAlgorithm,
  keys: readonly StoredKey[],
): { id: string; generation: number } {
  const generation = Math.max(-1, ...keys.map(generationOf)) + 1;
  return { id: generation === 0 ? alg : `${alg}/${generation}`, generation };
}

/** The keys of an algorithm in the order in which they sign. */
export function keysOfAlgorithm(alg: SigningAlgorithm, keys: readonly StoredKey[]): StoredKey[] {
  return keys.filter((key) => key.alg === alg).sort((one, other) =>
    fromOf(one) - fromOf(other) || generationOf(one) - generationOf(other)
  );
}

/** The key that signs now: the last whose time has come. The first one, where a clock was put back behind them all. */
export function activeOf(ordered: readonly StoredKey[], now: number): StoredKey | undefined {
  return ordered.findLast((key) => fromOf(key) <= now) ?? ordered[0];
}

/** The key that is shown already and does not sign yet. */
export function nextOf(ordered: readonly StoredKey[], now: number): StoredKey | undefined {
  return ordered.find((key) => fromOf(key) > now && key !== activeOf(ordered, now));
}

/** Whether a key signs, did, or will. */
export function stateOf(
  key: StoredKey,
  keys: readonly StoredKey[],
  now: number,
): "next" | "active" | "retired" {
  const ordered = keysOfAlgorithm(key.alg, keys);
  const ahead = ordered.indexOf(key) - ordered.indexOf(activeOf(ordered, now)!);
  if (ahead === 0) return "active";
  return ahead > 0 ? "next" : "retired";
}

/** From when a successor is to sign, if it is time to make one. */
export function successorDue(
  ordered: readonly StoredKey[],
  { every, overlap }: Settings["keyRotation"],
  now: number,
): number | undefined {
  const active = activeOf(ordered, now);
  if (every === undefined || !active) return undefined;
  const end = fromOf(active) + every;
  const waiting = nextOf(ordered, now);
  // One that is to sign long after that was made under a clock that was ahead: it does not count.
  if (waiting && fromOf(waiting) <= Math.max(end, now) + every) return undefined;
  return now < end - overlap ? undefined : Math.max(end, now + overlap);
}

/** Until when a key signs; for ever, as far as is known, where it has no successor. */
export function signsUntil(key: StoredKey, keys: readonly StoredKey[]): number {
  const ordered = keysOfAlgorithm(key.alg, keys);
  const successor = ordered[ordered.indexOf(key) + 1];
  return successor ? fromOf(successor) : Infinity;
}

/** Rows that were written before keys were rotated do not say from when they sign. */
function fromOf({ from = 0 }: StoredKey): number {
  return from;
}
