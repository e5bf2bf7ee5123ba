import type { JWK } from "jose";
import type { ServerEvent } from "../../config/events.ts";
import type { Settings } from "../../config/settings.ts";
import {
  type DecryptionAlgorithm,
  type KeyAlgorithm,
  signingAlgorithms,
} from "../../model/signing.ts";
import { once } from "../../util/time/promises.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import type { ServerHooks } from "../server_hooks.ts";
import { type Cipher, keyPlace } from "./cipher.ts";
import { activeKey, keysOfAlgorithm, nextKeyId, type StoredKey } from "./key_ring.ts";
import { createPublishedKeys } from "./published_keys.ts";
import type { SigningKey } from "./signing_key.ts";
import { createStoredKeys } from "./stored_keys.ts";

/**
 * The server's signing keys: those of the configuration, and a ring for each other algorithm. The
 * keys of a ring are created when they are first needed, and live in the store.
 */
export type Keys = ReturnType<typeof createKeys>;

/**
 * Returns when another key should begin to sign, in milliseconds, or undefined if none is needed.
 */
export type SuccessorStart = (ordered: readonly StoredKey[]) => number | undefined;

/** The keys with which the server decrypts what clients send. */
export interface DecryptionKeys {
  keyAlgs(settings: Settings): readonly DecryptionAlgorithm[];
  makeKey(alg: KeyAlgorithm, kid: string, generation: number): Promise<JWK>;
}

interface KeysDependencies {
  hooks: ServerHooks;
  settings: Settings;
  records: Records;
  encryption: Cipher;
  envelope: DecryptionKeys | undefined;
  now: () => number;
  emit: (event: ServerEvent) => void;
}

export function createKeys(dependencies: KeysDependencies) {
  const { settings, records, envelope, now } = dependencies;
  const configured = createConfiguredKeys(settings);
  const hasConfigured = settings.signingKeys.length > 0;
  const decryptionAlgs = envelope?.keyAlgs(settings) ?? [];
  const stored = createStoredKeys({
    ...dependencies,
    algs: [...signingAlgorithms, ...decryptionAlgs],
  });
  const inProgress = new Map<string, Promise<void>>();
  const published = createPublishedKeys({ ...dependencies, stored, configured, prepare });

  async function prepare(): Promise<void> {
    await Promise.all([...settings.idTokenAlgs(), ...decryptionAlgs].map(active));
  }

  /** A key that was loaded is there at once. */
  function active(alg: KeyAlgorithm): SigningKey | Promise<SigningKey> {
    const known = hasConfigured ? undefined : stored.known();
    const key = known && activeKey(keysOfAlgorithm(alg, known), now());
    return key ? stored.load(key) : findActive(alg);
  }

  async function findActive(alg: KeyAlgorithm): Promise<SigningKey> {
    const own = await findConfigured((key) => key.alg === alg);
    if (own) return own;
    const ordered = keysOfAlgorithm(alg, await stored.list());
    return await stored.load(activeKey(ordered, now()) ?? await createFirst(alg));
  }

  async function findConfigured(
    matches: (key: SigningKey) => boolean,
  ): Promise<SigningKey | undefined> {
    return (await configured()).find(matches);
  }

  async function createFirst(alg: KeyAlgorithm): Promise<StoredKey> {
    await extend(alg, (ordered) => ordered.length === 0 ? now() : undefined);
    const key = activeKey(keysOfAlgorithm(alg, await stored.list()), now());
    if (!key) throw new Error(`No key for ${alg} could be created.`);
    return key;
  }

  async function extend(
    alg: KeyAlgorithm,
    startOf: SuccessorStart,
  ): Promise<StoredKey | undefined> {
    if (await findConfigured((key) => key.alg === alg)) return undefined;
    const ordered = keysOfAlgorithm(alg, await stored.reread());
    const from = startOf(ordered);
    if (from === undefined) return undefined;
    const id = await createNext(alg, ordered, from);
    return (await stored.reread()).find((key) => key.id === id);
  }

  /** Creates the key that signs next, once for all callers, and returns the id of its row. */
  async function createNext(
    alg: KeyAlgorithm,
    ordered: readonly StoredKey[],
    from: number,
  ): Promise<string> {
    const { id } = nextKeyId(alg, ordered);
    const creation = inProgress.get(id) ??
      storeNextKey(dependencies, alg, ordered, from).finally(() => inProgress.delete(id));
    inProgress.set(id, creation);
    await creation;
    return id;
  }

  return {
    /** Returns the key that signs with an algorithm, or that others encrypt for. */
    active,
    async find(kid: string): Promise<SigningKey | undefined> {
      const known = hasConfigured ? await findConfigured((key) => key.kid === kid) : undefined;
      if (known) return known;
      const key = await stored.find(kid);
      return key && await stored.load(key);
    },
    /**
     * Whether a key was in the store within the last minute, as far as is known without waiting.
     */
    isListed: (kid: string) => stored.known()?.some((key) => key.kid === kid) ?? false,
    /** Returns the keys that unexpired tokens may be signed with, now or soon. */
    published: published.list,
    /** Returns the same keys as the text of a key set. */
    keySet: published.keySet,
    /** Creates the keys of all advertised algorithms, so that no request waits for one. */
    prepare,
    /** Returns the keys of the configuration, in their order. */
    configured,
    /** Lists the rows of all keys, as they were within the last minute. */
    list: stored.list,
    /**
     * Creates a key of an algorithm if, given the current rows, one should sign from some time on.
     */
    extend,
    /** Deletes a key: nothing that it signed is accepted any more. */
    async drop({ id }: StoredKey): Promise<void> {
      await records.keys.delete(id);
      await stored.reread();
    },
  };
}

/**
 * Creates a reader of the keys in the configuration. The first one of an algorithm signs; all of
 * them verify, and are published. They are never stored, and the server never replaces them.
 */
function createConfiguredKeys({ signingKeys, profile }: Settings): () => Promise<SigningKey[]> {
  const rsa = profile.algs.includes("RS256") ? "RS256" : "PS256";
  return once(async () => {
    if (signingKeys.length === 0) return [];
    // Most servers create their keys.
    const { loadConfiguredKey } = await import("./load_configured_key.ts");
    return await Promise.all(signingKeys.map((key, at) => loadConfiguredKey(key, at, rsa)));
  });
}

/** If several processes store the same generation at once, all of them use the first one. */
async function storeNextKey(
  dependencies: KeysDependencies,
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
  { settings, envelope }: KeysDependencies,
  alg: KeyAlgorithm,
  kid: string,
  generation: number,
): Promise<JWK> {
  const signing = signingAlgorithms.find((each) => each === alg);
  if (signing) return await settings.policies.makeKey(signing, kid, generation);
  if (!envelope) throw new Error(`This server makes no key for ${alg}.`);
  return await envelope.makeKey(alg, kid, generation);
}
