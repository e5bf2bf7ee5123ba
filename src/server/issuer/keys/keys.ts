import type { ServerEvent } from "../../config/events.ts";
import type { Settings } from "../../config/settings.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { minute } from "../../util/time/duration.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import type { WrapperAnswers } from "../wrapper_answers.ts";
import { createConfiguredKeys } from "./configured_keys.ts";
import { type EncryptionAtRest, keyPlace } from "./encryption_at_rest.ts";
import { activeKey, keysOfAlgorithm, nextKeyId, type StoredKey } from "./key_ring.ts";
import { formatKeySet, isCurrentKeySet, type KeySetText, verifyingRows } from "./published_keys.ts";
import { importSigningKey, type SigningKey } from "./signing_key.ts";
import { noteSupersededKeys } from "./superseded_keys.ts";

/**
 * The server's signing keys: those of the configuration, and a ring for each other algorithm. The
 * keys of a ring are created when they are first needed, and live in the store.
 */
export interface Keys {
  /** Returns the key that signs with an algorithm. */
  active(alg: SigningAlgorithm): Promise<SigningKey>;
  find(kid: string): Promise<SigningKey | undefined>;
  /** Returns the keys that unexpired tokens may be signed with, now or soon. */
  published(): Promise<SigningKey[]>;
  /** Returns the same keys as the text of a key set. */
  keySet(): Promise<string>;
  /** Creates the keys of all advertised algorithms, so that no request waits for one. */
  prepare(): Promise<void>;
  /** Returns the keys of the configuration, in their order. */
  configured(): Promise<SigningKey[]>;
  /** Lists the rows of all keys, as they were within the last minute. */
  list(): Promise<StoredKey[]>;
  /**
   * Creates a key of an algorithm if, given the current rows, one should sign from some time on.
   */
  extend(alg: SigningAlgorithm, startOf: SuccessorStart): Promise<StoredKey | undefined>;
  /** Deletes a key: nothing that it signed is accepted any more. */
  drop(key: StoredKey): Promise<void>;
}

/**
 * Returns when another key should begin to sign, in milliseconds, or undefined if none is needed.
 */
export type SuccessorStart = (ordered: readonly StoredKey[]) => number | undefined;

interface KeysDependencies extends Pick<WrapperAnswers, "publishedKeys"> {
  settings: Settings;
  records: Records;
  encryption: EncryptionAtRest;
  now: () => number;
  emit: (event: ServerEvent) => void;
}

/** The rows as this process last read them. */
interface RingSnapshot {
  keys: StoredKey[];
  /** In milliseconds. */
  readAt: number;
}

/** The keys to publish, and the rows behind them. */
interface PublishedKeys extends Omit<KeySetText, "text"> {
  keys: SigningKey[];
}

/** The rows of all keys, and the keys that were loaded from them. */
interface KeyRing {
  list(): Promise<StoredKey[]>;
  /** Lists the rows as they are in the store now. */
  reread(): Promise<StoredKey[]>;
  find(kid: string): Promise<StoredKey | undefined>;
  load(key: StoredKey): Promise<SigningKey>;
}

/** How long changes by other processes may go unnoticed, in milliseconds. */
const rereadInterval = 1 * minute * 1000;

/** Creates the server's keys. */
export function createKeys(dependencies: KeysDependencies): Keys {
  const { settings, records, publishedKeys, now } = dependencies;
  const ring = createKeyRing(dependencies);
  const configuredKeys = createConfiguredKeys(settings);
  const inProgress = new Map<string, Promise<void>>();
  let keySet: KeySetText | undefined;

  async function extend(
    alg: SigningAlgorithm,
    startOf: SuccessorStart,
  ): Promise<StoredKey | undefined> {
    if (await findConfigured((key) => key.alg === alg)) return undefined;
    const ordered = keysOfAlgorithm(alg, await ring.reread());
    const from = startOf(ordered);
    if (from === undefined) return undefined;
    const { id } = nextKeyId(alg, ordered);
    const creation = inProgress.get(id) ??
      createKey(dependencies, alg, ordered, from).finally(() => inProgress.delete(id));
    inProgress.set(id, creation);
    await creation;
    return (await ring.reread()).find((key) => key.id === id);
  }

  async function findConfigured(
    matches: (key: SigningKey) => boolean,
  ): Promise<SigningKey | undefined> {
    return (await configuredKeys()).find(matches);
  }

  /** A row is read again before it is written, so that a key just removed stays removed. */
  async function noteSuperseded(): Promise<void> {
    const algs = new Set((await configuredKeys()).map(({ alg }) => alg));
    const isOutdated = ({ alg, supersededAt }: StoredKey) =>
      algs.has(alg) !== (supersededAt !== undefined);
    if (!(await ring.list()).some(isOutdated)) return;
    if (await noteSupersededKeys(dependencies, await ring.reread(), algs)) await ring.reread();
  }

  async function readPublished(): Promise<PublishedKeys> {
    await keys.prepare();
    await noteSuperseded();
    const all = await ring.list();
    const verifying = verifyingRows(all, now(), maxTokenLifetime(settings) + rereadInterval);
    const loaded = await Promise.all(verifying.rows.map(ring.load));
    return { all, verifying, keys: [...await configuredKeys(), ...loaded] };
  }

  function activeOf(alg: SigningAlgorithm, all: readonly StoredKey[]): StoredKey | undefined {
    return activeKey(keysOfAlgorithm(alg, all), now());
  }

  async function createFirst(alg: SigningAlgorithm): Promise<StoredKey> {
    await extend(alg, (ordered) => ordered.length === 0 ? now() : undefined);
    const key = activeOf(alg, await ring.list());
    if (!key) throw new Error(`No key for ${alg} could be created.`);
    return key;
  }

  const keys: Keys = {
    configured: configuredKeys,
    list: ring.list,
    extend,
    async active(alg) {
      return await findConfigured((key) => key.alg === alg) ??
        await ring.load(activeOf(alg, await ring.list()) ?? await createFirst(alg));
    },
    async find(kid) {
      const configured = await findConfigured((key) => key.kid === kid);
      if (configured) return configured;
      const key = await ring.find(kid);
      return key && await ring.load(key);
    },
    published: async () => (await readPublished()).keys,
    async keySet() {
      const all = await ring.list();
      if (!keySet || !isCurrentKeySet(keySet, all, now())) {
        const { keys, ...origin } = await readPublished();
        keySet = { ...origin, text: formatKeySet(keys, await publishedKeys?.()) };
      }
      return keySet.text;
    },
    prepare: async () => void await Promise.all(settings.idTokenAlgs.map(keys.active)),
    async drop({ id }) {
      await records.keys.delete(id);
      await ring.reread();
    },
  };
  return keys;
}

/** Returns the longest lifetime of any token that we sign, in milliseconds. */
export function maxTokenLifetime({ lifetimes }: Pick<Settings, "lifetimes">): number {
  return Math.max(lifetimes.accessToken, lifetimes.idToken) * 1000;
}

/**
 * If several processes create the same generation at once, all of them use the one stored first.
 */
async function createKey(
  dependencies: KeysDependencies,
  alg: SigningAlgorithm,
  ordered: readonly StoredKey[],
  from: number,
): Promise<void> {
  const { settings, records, encryption, emit } = dependencies;
  const { id, generation } = nextKeyId(alg, ordered);
  const newKid = randomId(dependencies);
  const jwk = await settings.policies.makeKey(alg, newKid, generation);
  const { kid = newKid } = jwk;
  const encryptedKey = await encryption.encrypt(JSON.stringify(jwk), keyPlace(kid));
  if (!await records.keys.add(id, { kid, alg, encryptedKey, from }, forever)) return;
  emit({ type: "key.made", kid, alg });
  // A key from the end of time on replaces no other: it signs only what names it.
  if (ordered.length > 0 && from < forever) emit({ type: "key.rotated", kid, alg, from });
}

function createKeyRing({ records, encryption, now }: KeysDependencies): KeyRing {
  const loaded = new Map<string, Promise<SigningKey>>();
  let snapshot: RingSnapshot | undefined;
  let reading: Promise<RingSnapshot> | undefined;

  function freshSnapshot(): RingSnapshot | undefined {
    return snapshot && Math.abs(now() - snapshot.readAt) < rereadInterval ? snapshot : undefined;
  }

  async function read(): Promise<RingSnapshot> {
    const readAt = now();
    const rows = await records.keys.list();
    const keys = rows.map(([id, row]) => ({ id, ...row }));
    for (const kid of loaded.keys()) if (!keys.some((key) => key.kid === kid)) loaded.delete(kid);
    return snapshot = { keys, readAt };
  }

  function readOnce(): Promise<RingSnapshot> {
    return reading ??= read().finally(() => reading = undefined);
  }

  /** Waits only if the rows have to be read: each signature asks for them. */
  function current(): RingSnapshot | Promise<RingSnapshot> {
    return freshSnapshot() ?? readOnce();
  }

  async function reread(): Promise<StoredKey[]> {
    // A read in progress may have started too early.
    await reading?.catch(() => {});
    return (await readOnce()).keys;
  }

  return {
    list: async () => (await current()).keys,
    reread,
    async find(kid) {
      const { keys } = await current();
      const found = keys.find((key) => key.kid === kid);
      if (found) return found;
      // Anyone can make up a `kid`. It costs one call of the store, shared by concurrent requests.
      return (await reread()).find((key) => key.kid === kid);
    },
    load({ kid, alg, encryptedKey }) {
      const known = loaded.get(kid);
      if (known) return known;
      const key = encryption.decrypt(encryptedKey, keyPlace(kid)).then((jwk) =>
        importSigningKey(kid, alg, jwk)
      );
      loaded.set(kid, key);
      key.catch(() => loaded.delete(kid));
      return key;
    },
  };
}
