import type { ServerEvent } from "../../config/events.ts";
import type { KeyAlgorithm } from "../../model/signing.ts";
import { UnreadableStoreError } from "../../store/store_errors.ts";
import { minute } from "../../util/time/duration.ts";
import type { Records } from "../records/records.ts";
import { type Cipher, keyPlace } from "./cipher.ts";
import { lostKeys, type StoredKey } from "./key_ring.ts";
import { importSigningKey, type SigningKey } from "./signing_key.ts";

/** The rows of all keys, and the keys that were loaded from them. */
export type StoredKeys = ReturnType<typeof createStoredKeys>;

/** How long changes by other processes may go unnoticed, in milliseconds. */
export const rereadInterval = 1 * minute * 1000;

interface LoadedKey {
  encryptedKey: string;
  key: SigningKey | Promise<SigningKey>;
}

export function createStoredKeys(
  { records, encryption, algs, now, emit }: {
    records: Records;
    encryption: Cipher;
    /** The algorithms of the keys that this server uses. It sees no others. */
    algs: readonly KeyAlgorithm[];
    now: () => number;
    emit: (event: ServerEvent) => void;
  },
) {
  /** The decrypted keys, each with what it was decrypted from. Later they are there at once. */
  const loaded = new Map<string, LoadedKey>();
  let latest: readonly StoredKey[] = [];
  const rows = createCachedRead(readRows, { now, interval: rereadInterval });

  async function readRows(): Promise<StoredKey[]> {
    const all = (await records.keys.list()).map(([id, row]) => ({ id, ...row }));
    const keys = all.filter(({ alg }) => algs.includes(alg));
    for (const kid of loaded.keys()) if (!keys.some((key) => key.kid === kid)) loaded.delete(kid);
    for (const { kid, alg } of lostKeys(latest, keys, now())) emit({ type: "key.lost", kid, alg });
    latest = keys;
    return keys;
  }

  function load({ kid, alg, encryptedKey }: StoredKey): Promise<SigningKey> {
    const key = encryption.decrypt(encryptedKey, keyPlace(kid)).then((jwk) =>
      importSigningKey(kid, alg, jwk).catch(() => {
        throw new UnreadableStoreError(
          `The signing key '${kid}' in the store is damaged; restore a backup.`,
        );
      })
    );
    const entry: LoadedKey = { encryptedKey, key };
    loaded.set(kid, entry);
    key.then((ready) => void (entry.key = ready), () => loaded.delete(kid));
    return key;
  }

  return {
    /** Returns the rows as they were within the last minute, if that is known without waiting. */
    known: rows.known,
    /** Lists the rows as they were within the last minute. */
    list: rows.current,
    /** Lists the rows as they are in the store now. */
    reread: rows.reread,
    async find(kid: string): Promise<StoredKey | undefined> {
      const hasKid = (key: StoredKey) => key.kid === kid;
      // Anyone can make up a `kid`. It costs one call of the store, shared by concurrent requests.
      return (await rows.current()).find(hasKid) ?? (await rows.reread()).find(hasKid);
    },
    /** Decrypts a key, once for each form in which it was stored. */
    load(key: StoredKey): SigningKey | Promise<SigningKey> {
      const known = loaded.get(key.kid);
      // A server without the secret that encrypted a key again must not go on to use the key.
      return known?.encryptedKey === key.encryptedKey ? known.key : load(key);
    },
  };
}

/** Caches what a function reads, until it is older than a limit. A failure is not cached. */
export function createCachedRead<T>(read: () => Promise<T>, { now, interval }: {
  /** The current time, in milliseconds. */
  now: () => number;
  /** How long a change may go unnoticed, in milliseconds. */
  interval: number;
}) {
  let latest: { value: T; readAt: number } | undefined;
  let reading: Promise<T> | undefined;

  async function readLatest(): Promise<T> {
    const readAt = now();
    const value = await read();
    latest = { value, readAt };
    return value;
  }

  function readOnce(): Promise<T> {
    return reading ??= readLatest().finally(() => reading = undefined);
  }

  function known(): T | undefined {
    // The clock may have been set back.
    return latest && Math.abs(now() - latest.readAt) < interval ? latest.value : undefined;
  }

  return {
    /** Returns the value as it was within the limit, if it was read since. */
    known,
    /** Returns the value as it was within the limit. Waits only if it has to be read. */
    current: (): T | Promise<T> => known() ?? readOnce(),
    /** Reads the value as it is now. Callers at the same time share a reading. */
    async reread(): Promise<T> {
      // A reading in progress may have started too early.
      await reading?.catch(() => {});
      return await readOnce();
    },
  };
}
