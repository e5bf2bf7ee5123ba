import type { Settings } from "../../config/settings.ts";
import { type KeyAlgorithm, signingAlgorithms } from "../../model/signing.ts";
import { once } from "../../util/time/promises.ts";
import type { ServerHooks } from "../server_hooks.ts";
import { createNextKeyFactory, type NextKeyDependencies } from "./create_next_key.ts";
import { activeKey, keysOfAlgorithm, type StoredKey } from "./key_ring.ts";
import { createPublishedKeys } from "./published_keys.ts";
import type { SigningKey } from "./signing_key.ts";
import { createStoredKeys } from "./stored_keys.ts";

/**
 * The server's signing keys: those of the configuration, and a ring for each other algorithm. The
 * keys of a ring are created when they are first needed, and live in the store.
 */
export interface Keys {
  /** Returns the key that signs with an algorithm, or that others encrypt for. */
  active(alg: KeyAlgorithm): Promise<SigningKey>;
  find(kid: string): Promise<SigningKey | undefined>;
  /** Whether a key was in the store within the last minute, as far as is known without waiting. */
  isListed(kid: string): boolean;
  /** Returns the keys that unexpired tokens may be signed with, now or soon. */
  published(): Promise<SigningKey[]>;
  /** Returns the same keys as the text of a key set. */
  keySet(): Promise<string>;
  /** Creates the keys of all advertised algorithms, so that no request waits for one. */
  prepare(): Promise<void>;
  /** Returns the keys of the configuration, in their order. */
  configured(): Promise<SigningKey[]>;
  /** Lists the rows of all keys, as they were within the last minute. */
  list(): StoredKey[] | Promise<StoredKey[]>;
  /**
   * Creates a key of an algorithm if, given the current rows, one should sign from some time on.
   */
  extend(alg: KeyAlgorithm, startOf: SuccessorStart): Promise<StoredKey | undefined>;
  /** Deletes a key: nothing that it signed is accepted any more. */
  drop(key: StoredKey): Promise<void>;
}

/**
 * Returns when another key should begin to sign, in milliseconds, or undefined if none is needed.
 */
export type SuccessorStart = (ordered: readonly StoredKey[]) => number | undefined;

interface KeysDependencies extends NextKeyDependencies, Pick<ServerHooks, "publishedKeys"> {
  now: () => number;
}

/** Creates the server's keys. */
export function createKeys(dependencies: KeysDependencies): Keys {
  const { settings, records, envelope, now } = dependencies;
  const configured = createConfiguredKeys(settings);
  const hasConfigured = settings.signingKeys.length > 0;
  const decryptionAlgs = envelope?.keyAlgs(settings) ?? [];
  const stored = createStoredKeys({
    ...dependencies,
    algs: [...signingAlgorithms, ...decryptionAlgs],
  });
  const createNextKey = createNextKeyFactory(dependencies);
  const published = createPublishedKeys({ ...dependencies, stored, configured, prepare });

  async function prepare(): Promise<void> {
    await Promise.all([...settings.idTokenAlgs(), ...decryptionAlgs].map(active));
  }

  async function active(alg: KeyAlgorithm): Promise<SigningKey> {
    const own = hasConfigured ? await findConfigured((key) => key.alg === alg) : undefined;
    return own ?? await stored.load(activeOf(alg, await stored.list()) ?? await createFirst(alg));
  }

  async function findConfigured(
    matches: (key: SigningKey) => boolean,
  ): Promise<SigningKey | undefined> {
    return (await configured()).find(matches);
  }

  function activeOf(alg: KeyAlgorithm, all: readonly StoredKey[]): StoredKey | undefined {
    return activeKey(keysOfAlgorithm(alg, all), now());
  }

  async function createFirst(alg: KeyAlgorithm): Promise<StoredKey> {
    await extend(alg, (ordered) => ordered.length === 0 ? now() : undefined);
    const key = activeOf(alg, await stored.list());
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
    const id = await createNextKey(alg, ordered, from);
    return (await stored.reread()).find((key) => key.id === id);
  }

  return {
    active,
    async find(kid) {
      const known = hasConfigured ? await findConfigured((key) => key.kid === kid) : undefined;
      if (known) return known;
      const key = await stored.find(kid);
      return key && await stored.load(key);
    },
    isListed: stored.isListed,
    published: published.list,
    keySet: published.keySet,
    prepare,
    configured,
    list: stored.list,
    extend,
    async drop({ id }) {
      await records.keys.delete(id);
      await stored.reread();
    },
  };
}

/**
 * Creates a reader of the keys in the configuration. The first one of an algorithm signs; all of
 * them verify, and are published. They are never stored, and the server never replaces them.
 */
function createConfiguredKeys(
  { signingKeys, profile }: Settings,
): () => Promise<SigningKey[]> {
  const rsa = profile.algs.includes("RS256") ? "RS256" : "PS256";
  return once(async () => {
    if (signingKeys.length === 0) return [];
    // Most servers create their keys.
    const { loadConfiguredKey } = await import("./load_configured_key.ts");
    return await Promise.all(signingKeys.map((key, at) => loadConfiguredKey(key, at, rsa)));
  });
}
