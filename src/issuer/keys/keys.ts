import type { ServerEvent } from "../../config/events.ts";
import type { Settings } from "../../config/settings.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import type { KeyRow } from "../records/rows.ts";
import { forever } from "../records/table.ts";
import type { EncryptionAtRest } from "./encryption_at_rest.ts";
import { activeOf, keysOfAlgorithm, nextId, signsUntil, type StoredKey } from "./key_ring.ts";
import { type SigningKey, toSigningKey } from "./signing_key.ts";

/** The server's signing keys: a ring for each algorithm. They are made when they are first needed, and kept in the store. */
export interface Keys {
  /** The key that signs with an algorithm. */
  active(alg: SigningAlgorithm): Promise<SigningKey>;
  find(kid: string): Promise<SigningKey | undefined>;
  /** All keys that tokens which stand may be signed with, or soon will be. */
  published(): Promise<SigningKey[]>;
  /** Makes the keys of all algorithms that clients are told of, so that no request waits for one. */
  prepare(): Promise<void>;
  /** The rows of all keys, as they were within the last minute. */
  list(): Promise<StoredKey[]>;
  /** Makes one more key of an algorithm if, seen from the rows as they are now, one is to sign from some time on. */
  extend(
    alg: SigningAlgorithm,
    fromWhen: (ordered: readonly StoredKey[]) => number | undefined,
  ): Promise<StoredKey | undefined>;
  /** Takes a key away: nothing that it signed is believed any more. */
  drop(key: StoredKey): Promise<void>;
}

interface KeysDependencies {
  settings: Settings;
  records: Records;
  encryption: EncryptionAtRest;
  now: () => number;
  emit: (event: ServerEvent) => void;
}

/** What other processes did to the store's keys is seen after so long, in milliseconds. */
const ringReload = 60_000;
/** So often in that time an unknown `kid`, which anybody can make up, has the keys read anew. */
const maxLookups = 20;

export function createKeys(dependencies: KeysDependencies): Keys {
  const { settings, records, now } = dependencies;
  const ring = createRing(dependencies);
  const makings = new Map<string, Promise<void>>();

  async function extend(
    alg: SigningAlgorithm,
    fromWhen: (ordered: readonly StoredKey[]) => number | undefined,
  ) {
    const ordered = keysOfAlgorithm(alg, await ring.reread());
    const from = fromWhen(ordered);
    if (from === undefined) return undefined;
    const { id } = nextId(alg, ordered);
    const making = makings.get(id) ??
      makeRow(dependencies, alg, ordered, from).finally(() => makings.delete(id));
    makings.set(id, making);
    await making;
    return (await ring.reread()).find((key) => key.id === id);
  }

  const keys: Keys = {
    list: ring.held,
    extend,
    async active(alg) {
      const known = activeOf(keysOfAlgorithm(alg, await ring.held()), now());
      if (known) return await ring.load(known);
      await extend(alg, (ordered) => ordered.length === 0 ? now() : undefined);
      return await ring.load(activeOf(keysOfAlgorithm(alg, await ring.held()), now())!);
    },
    async find(kid) {
      const known = await ring.lookUp(kid);
      return known && await ring.load(known);
    },
    async published() {
      await keys.prepare();
      const all = await ring.held();
      const end = maxTokenLifetime(settings) + ringReload;
      return await Promise.all(
        all.filter((key) => signsUntil(key, all) + end > now()).map(ring.load),
      );
    },
    prepare: async () => void await Promise.all(settings.idTokenAlgs.map(keys.active)),
    async drop({ id }) {
      await records.keys.delete(id);
      await ring.reread();
    },
  };
  return keys;
}

/** For so long a token stands that was signed a moment ago, in milliseconds. */
export function maxTokenLifetime({ lifetimes }: Pick<Settings, "lifetimes">): number {
  return Math.max(lifetimes.accessToken, lifetimes.idToken) * 1000;
}

/** Where a key is sealed for. */
export function keyPlace(kid: string): string {
  return `key ${kid}`;
}

/** Several processes may make the same generation at once: all of them use the key of the one that was first. */
async function makeRow(
  dependencies: KeysDependencies,
  alg: SigningAlgorithm,
  ordered: readonly StoredKey[],
  from: number,
): Promise<void> {
  const { settings, records, encryption, emit } = dependencies;
  const { id, generation } = nextId(alg, ordered);
  const jwk = await settings.policies.makeKey(alg, randomId(dependencies), generation);
  const row = {
    kid: jwk.kid!,
    alg,
    encryptedKey: await encryption.encrypt(JSON.stringify(jwk), keyPlace(jwk.kid!)),
    from,
  };
  if (!await records.keys.add(id, row, forever)) return;
  emit({ type: "key.made", kid: row.kid, alg });
  if (ordered.length > 0) emit({ type: "key.rotated", kid: row.kid, alg, from });
}

/** What this process knows of the rows, and the keys in them, ready to be used. */
function createRing(
  { records, encryption, now }: Pick<KeysDependencies, "records" | "encryption" | "now">,
) {
  const loaded = new Map<string, Promise<SigningKey>>();
  let known: { keys: StoredKey[]; at: number; lookups: number } | undefined;
  let reading: Promise<StoredKey[]> | undefined;

  async function read(): Promise<StoredKey[]> {
    const rows = await records.keys.list();
    const keys = rows.map(([id, row]) => ({ id, ...row }));
    const isFresh = known && Math.abs(now() - known.at) < ringReload;
    known = { keys, at: isFresh ? known!.at : now(), lookups: isFresh ? known!.lookups : 0 };
    for (const kid of loaded.keys()) if (!keys.some((key) => key.kid === kid)) loaded.delete(kid);
    return keys;
  }

  /** As they are now: a reading that is under way may have begun too early. */
  async function reread(): Promise<StoredKey[]> {
    await reading?.catch(() => {});
    return await (reading ??= read().finally(() => reading = undefined));
  }

  async function held(): Promise<StoredKey[]> {
    const isFresh = known && Math.abs(now() - known.at) < ringReload;
    return isFresh ? known!.keys : await (reading ??= read().finally(() => reading = undefined));
  }

  async function lookUp(kid: string): Promise<StoredKey | undefined> {
    const found = (await held()).find((key) => key.kid === kid);
    if (found || known!.lookups++ >= maxLookups) return found;
    return (await reread()).find((key) => key.kid === kid);
  }

  function load({ kid, encryptedKey }: KeyRow): Promise<SigningKey> {
    const ready = loaded.get(kid) ??
      encryption.decrypt(encryptedKey, keyPlace(kid)).then(toSigningKey);
    loaded.set(kid, ready);
    ready.catch(() => loaded.delete(kid));
    return ready;
  }

  return { held, reread, lookUp, load };
}
