import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import { isEncrypted } from "../server/issuer/keys/cipher.ts";
import { keyState, type StoredKey } from "../server/issuer/keys/key_ring.ts";
import { planRotation, retireKey, rotateKey } from "../server/issuer/keys/rotate_keys.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import type { Extent } from "./extent.ts";
import { findRowsToReseal as findOutdatedRows, type OutdatedRow } from "./rows_to_reseal.ts";

export {
  /** Throws unless the secret of the server decrypts every key. */
  checkEncryption as checkSecret,
  /** Erases what an earlier secret encrypted from the files of the store. */
  eraseReplaced as eraseResealed,
} from "../server/issuer/keys/secrets_at_rest.ts";

/** A signing key, as an administrator sees it. */
export interface KeyEntry {
  kid: string;
  alg: string;
  /** A key of the configuration has no row in the store, and does not rotate. */
  state: "configured" | "next" | "active" | "retired";
  /** When it begins to sign, in milliseconds, if that is known. */
  from?: number | undefined;
  /** Whether the store has it encrypted. */
  isEncrypted?: boolean;
}

/** Lists the signing keys, those of the configuration first. */
export async function list({ keys, now }: Context): Promise<KeyEntry[]> {
  const configured = (await keys.configured())
    .map(({ kid, alg }): KeyEntry => ({ kid, alg, state: "configured" }));
  const stored = await keys.list();
  return [...configured, ...stored.map((key) => entryOf(key, stored, now()))];
}

/** Creates the next key of each algorithm. Throws if none of them rotates, or each has one. */
export async function rotate(ctx: AdminContext): Promise<void> {
  const { algs, waiting } = await planRotation(ctx);
  if (algs.length === 0) throw new AdminError(noRotationProblem(waiting));
  await recordChange(ctx, "keys");
  await rotateKey(ctx);
}

/** Removes a key that has leaked; everything that it signed becomes invalid. */
export async function remove(ctx: AdminContext, kid: string): Promise<Extent> {
  await checkExists(ctx, kid);
  await recordChange(ctx, kid);
  await retireKey(ctx, kid);
  return { keys: 1 };
}

/** Throws if the store has no such key. */
export async function checkExists({ keys }: Context, kid: string): Promise<void> {
  const stored = await keys.list();
  if (!stored.some((key) => key.kid === kid)) throw new AdminError(`There is no key '${kid}'.`);
}

/** Finds the rows that an earlier secret encrypted, and records that they will change. */
export async function findRowsToReseal(
  ctx: AdminContext,
  earlierSecret: string,
): Promise<OutdatedRow[]> {
  const rows = await findOutdatedRows(ctx, ctx.keys.encryption.withSecret(earlierSecret));
  if (rows.length > 0) {
    await recordChange(ctx, "keys", [`rows to encrypt with a new secret: ${rows.length}`]);
  }
  return rows;
}

function entryOf(key: StoredKey, stored: readonly StoredKey[], now: number): KeyEntry {
  const { kid, alg, from, encryptedKey } = key;
  const state = keyState(key, stored, now);
  return { kid, alg, state, from, isEncrypted: isEncrypted(encryptedKey) };
}

function noRotationProblem(waiting: readonly StoredKey[]): string {
  if (waiting.length === 0) {
    return "No key was created: the store has none that rotates. A server creates them on demand.";
  }
  const keys = waiting.map(({ alg, kid, from }) =>
    `${alg} from ${new Date(from).toISOString()} (${kid})`
  );
  return `No key was created: the next one is already waiting: ${keys.join(", ")}. If a key has ` +
    "leaked, use: hallpass key remove";
}
