import type { JWK } from "jose";
import type { ServerEvent } from "../../config/events.ts";
import type { Settings } from "../../config/settings.ts";
import {
  type DecryptionAlgorithm,
  type KeyAlgorithm,
  signingAlgorithms,
} from "../../model/signing.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import type { ServerHooks } from "../server_hooks.ts";
import { type Cipher, keyPlace } from "./cipher.ts";
import { nextKeyId, type StoredKey } from "./key_ring.ts";

/** The keys with which the server decrypts what clients send. */
export interface DecryptionKeys {
  /** The algorithms that it needs a key for. */
  keyAlgs(settings: Settings): readonly DecryptionAlgorithm[];
  makeKey(alg: KeyAlgorithm, kid: string): Promise<JWK>;
}

/** What the creation of keys depends on. */
export interface NextKeyDependencies extends Pick<ServerHooks, "firstDecryptionKey"> {
  settings: Settings;
  records: Records;
  encryption: Cipher;
  envelope: DecryptionKeys | undefined;
  emit: (event: ServerEvent) => void;
}

/**
 * Creates the key that follows those of an algorithm and signs from a time in milliseconds. Returns
 * the id of its row.
 */
type CreateNextKey = (
  alg: KeyAlgorithm,
  ordered: readonly StoredKey[],
  from: number,
) => Promise<string>;

/** Creates the function that creates keys: each of them once, however many callers need it. */
export function createNextKeyFactory(dependencies: NextKeyDependencies): CreateNextKey {
  const inProgress = new Map<string, Promise<void>>();
  return async (alg, ordered, from) => {
    const { id } = nextKeyId(alg, ordered);
    const creation = inProgress.get(id) ??
      storeNextKey(dependencies, alg, ordered, from).finally(() => inProgress.delete(id));
    inProgress.set(id, creation);
    await creation;
    return id;
  };
}

/** If several processes store the same generation at once, all of them use the first one. */
async function storeNextKey(
  dependencies: NextKeyDependencies,
  alg: KeyAlgorithm,
  ordered: readonly StoredKey[],
  from: number,
): Promise<void> {
  const { records, encryption, emit } = dependencies;
  const { id, generation } = nextKeyId(alg, ordered);
  const newKid = randomId(dependencies);
  const jwk = await makeKey(dependencies, alg, newKid, generation);
  const { kid = newKid } = jwk;
  const encryptedKey = await encryption.encrypt(JSON.stringify(jwk), keyPlace(kid));
  if (!await records.keys.add(id, { kid, alg, encryptedKey, from }, forever)) return;
  emit({ type: "key.made", kid, alg });
  // A key from the end of time on replaces no other: it signs only what names it.
  if (ordered.length > 0 && from < forever) emit({ type: "key.rotated", kid, alg, from });
}

/** The policy of the operator makes the keys that sign. */
async function makeKey(
  { settings, envelope, firstDecryptionKey }: NextKeyDependencies,
  alg: KeyAlgorithm,
  kid: string,
  generation: number,
): Promise<JWK> {
  const signing = signingAlgorithms.find((each) => each === alg);
  if (signing) return await settings.policies.makeKey(signing, kid, generation);
  if (!envelope) throw new Error(`This server makes no key for ${alg}.`);
  const known = generation === 0 ? await firstDecryptionKey?.(alg, kid) : undefined;
  return known ?? await envelope.makeKey(alg, kid);
}
