import type { KeyAlgorithm } from "../../model/signing.ts";
import { updateRow } from "../records/lock.ts";
import type { Records } from "../records/records.ts";
import type { KeyRow } from "../records/rows.ts";
import type { StoredKey } from "./key_ring.ts";

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
export function isNoteOutdated(
  { alg, supersededAt }: KeyRow,
  configuredAlgs: ReadonlySet<KeyAlgorithm>,
): boolean {
  return configuredAlgs.has(alg) !== (supersededAt !== undefined);
}
