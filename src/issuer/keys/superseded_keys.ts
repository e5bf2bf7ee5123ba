import type { SigningAlgorithm } from "../../model/signing.ts";
import type { Records } from "../records/records.ts";
import { forever } from "../records/table.ts";
import type { StoredKey } from "./key_ring.ts";

/** What the note of superseded keys depends on. */
interface SupersededKeysDependencies {
  records: Records;
  now: () => number;
}

/**
 * Notes on stored keys when a configured key took over their algorithm, and removes the note when
 * they sign again. Returns whether a row has changed.
 */
export async function noteSupersededKeys(
  { records, now }: SupersededKeysDependencies,
  keys: readonly StoredKey[],
  configuredAlgs: ReadonlySet<SigningAlgorithm>,
): Promise<boolean> {
  const outdated = keys.filter(({ alg, supersededAt }) =>
    configuredAlgs.has(alg) !== (supersededAt !== undefined)
  );
  for (const { id, supersededAt: _, ...row } of outdated) {
    const note = configuredAlgs.has(row.alg) && { supersededAt: now() };
    await records.keys.put(id, { ...row, ...note }, forever);
  }
  return outdated.length > 0;
}
