import type { Settings } from "../../config/settings.ts";
import type { KeyAlgorithm } from "../../model/signing.ts";
import { updateRow } from "../records/lock.ts";
import type { Records } from "../records/records.ts";
import type { KeyRow } from "../records/rows.ts";
import type { ServerHooks } from "../server_hooks.ts";
import { signsUntil, type StoredKey } from "./key_ring.ts";
import type { SigningKey } from "./signing_key.ts";
import { rereadInterval, type StoredKeys } from "./stored_keys.ts";

interface PublishedKeysDependencies {
  hooks: ServerHooks;
  settings: Settings;
  records: Records;
  now: () => number;
  stored: StoredKeys;
  configured: () => Promise<SigningKey[]>;
  /** Creates the keys of all advertised algorithms. */
  prepare: () => Promise<void>;
}

/** The stored keys that are published, and the rows that they were chosen from. */
interface Publication {
  /** Every row at that time: a list that is replaced when a key is added or removed. */
  all: readonly StoredKey[];
  /** The rows of the keys that unexpired tokens may be signed with, now or soon. */
  rows: StoredKey[];
  /** From when to when these are the rows, in milliseconds, unless a key is added or removed. */
  from: number;
  until: number;
}

/**
 * Lists the keys that unexpired tokens may be signed with, now or soon. The text of the key set is
 * kept until they change.
 */
export function createPublishedKeys(dependencies: PublishedKeysDependencies) {
  const { hooks, settings, stored, configured, now } = dependencies;
  let latest: Publication & { text: string } | undefined;

  async function choose(): Promise<Publication> {
    await dependencies.prepare();
    await noteSuperseded(dependencies);
    const all = await stored.list();
    const from = now();
    // A key stays published for as long after it last signs.
    const margin = maxTokenLifetime(settings) + rereadInterval;
    const endOf = (key: StoredKey) => signsUntil(key, all) + margin;
    const rows = all.filter((key) => endOf(key) > from);
    return { all, rows, from, until: Math.min(...rows.map(endOf)) };
  }

  async function load({ rows }: Publication): Promise<SigningKey[]> {
    const loaded = await Promise.all(rows.map(stored.load));
    return [...await configured(), ...loaded];
  }

  return {
    list: async () => await load(await choose()),
    /** Returns the text of the key set (RFC 7517, section 5). */
    async keySet(): Promise<string> {
      const all = await stored.list();
      if (!latest || !isCurrent(latest, all, now())) {
        const publication = await choose();
        const keys = (await load(publication)).map(({ publicJwk }) => publicJwk);
        const others = await hooks.publishedKeys?.() ?? [];
        latest = { ...publication, text: JSON.stringify({ keys: [...keys, ...others] }) };
      }
      return latest.text;
    },
  };
}

/** Returns the longest lifetime of any token that we sign, in milliseconds. */
export function maxTokenLifetime({ lifetimes }: Settings): number {
  return Math.max(lifetimes.accessToken, lifetimes.idToken) * 1000;
}

/** A row is read again before it is written, so that a key just removed stays removed. */
async function noteSuperseded(dependencies: PublishedKeysDependencies): Promise<void> {
  const { stored, configured } = dependencies;
  const algs = new Set((await configured()).map(({ alg }) => alg));
  if (!(await stored.list()).some((key) => isNoteOutdated(key, algs))) return;
  if (await noteSupersededKeys(dependencies, await stored.reread(), algs)) await stored.reread();
}

/** Whether the keys that were published are those that are to be published now. */
function isCurrent(
  { all, from, until }: Publication,
  rows: readonly StoredKey[],
  now: number,
): boolean {
  return all === rows && from <= now && now < until;
}

/**
 * Notes on stored keys when a configured key took over their algorithm, and removes the note when
 * they sign again. Returns whether a row has changed.
 */
export async function noteSupersededKeys(
  { records, now }: { records: Records; now: () => number },
  keys: readonly StoredKey[],
  configuredAlgs: ReadonlySet<KeyAlgorithm>,
): Promise<boolean> {
  const outdated = keys.filter((key) => isNoteOutdated(key, configuredAlgs));
  for (const { id, alg } of outdated) {
    const note = configuredAlgs.has(alg) && { supersededAt: now() };
    await updateRow(records.keys, id, (current) => {
      if (!isNoteOutdated(current, configuredAlgs)) return undefined;
      const { supersededAt: _, ...row } = current;
      return { ...row, ...note };
    });
  }
  return outdated.length > 0;
}

/** Whether the note on a key does not say whether a configured key took over its algorithm. */
function isNoteOutdated(
  { alg, supersededAt }: KeyRow,
  configuredAlgs: ReadonlySet<KeyAlgorithm>,
): boolean {
  return configuredAlgs.has(alg) !== (supersededAt !== undefined);
}
