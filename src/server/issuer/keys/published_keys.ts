import type { JWK } from "jose";
import { signsUntil, type StoredKey } from "./key_ring.ts";
import type { SigningKey } from "./signing_key.ts";

/** The rows of the keys that unexpired tokens may be signed with, now or soon. */
export interface VerifyingRows {
  rows: StoredKey[];
  /** From when to when these are the rows, in milliseconds, unless a key is added or removed. */
  from: number;
  until: number;
}

/**
 * Returns the rows of the keys that unexpired tokens may be signed with. A key is published for the
 * time of `margin` after it has signed, in milliseconds.
 */
export function verifyingRows(
  all: readonly StoredKey[],
  now: number,
  margin: number,
): VerifyingRows {
  const endOf = (key: StoredKey) => signsUntil(key, all) + margin;
  const rows = all.filter((key) => endOf(key) > now);
  return { rows, from: now, until: Math.min(...rows.map(endOf)) };
}

/** The text of a key set, and what it was made of. */
export interface KeySetText {
  /** Every row when the text was made: a list that is replaced when a key is added or removed. */
  all: readonly StoredKey[];
  verifying: VerifyingRows;
  text: string;
}

/** Formats a key set (RFC 7517, section 5). */
export function formatKeySet(keys: readonly SigningKey[], others: readonly JWK[] = []): string {
  return JSON.stringify({ keys: [...keys.map(({ publicJwk }) => publicJwk), ...others] });
}

/** Whether a key set has the keys that are to be published now. */
export function isCurrentKeySet(
  { all, verifying: { from, until } }: KeySetText,
  rows: readonly StoredKey[],
  now: number,
): boolean {
  return all === rows && from <= now && now < until;
}
