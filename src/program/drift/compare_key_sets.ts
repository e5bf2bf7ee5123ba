import { isObject } from "../../server/util/text/json.ts";
import type { Difference } from "./compare_metadata.ts";

/** Members whose values are the key itself, or chosen for each key. */
const valueMembers: readonly string[] = ["n", "e", "x", "y", "kid"];

/**
 * Compares the shapes of the keys of two key sets: types, algorithms, and the names of members.
 * Keys themselves differ, and so does their number while a provider rotates them.
 */
export function compareKeySets(preset: unknown, real: unknown): Difference[] {
  const [ours, theirs] = [shapesOf(preset), shapesOf(real)];
  if (theirs === undefined) {
    return [{ area: "keys", member: "keys", preset: ours, real: "no key set" }];
  }
  const parts = ["types", "members"] as const;
  return parts.flatMap((part) => {
    const [before, after] = [ours?.[part] ?? [], theirs[part]];
    const onlyPreset = before.filter((each) => !after.includes(each));
    const onlyReal = after.filter((each) => !before.includes(each));
    if (onlyPreset.length === 0 && onlyReal.length === 0) return [];
    return [{ area: "keys" as const, member: `keys: ${part}`, onlyPreset, onlyReal }];
  });
}

interface KeyShapes {
  /** `"RSA RS256 sig"`. */
  types: string[];
  /** The names of members beside the key itself. */
  members: string[];
}

function shapesOf(keySet: unknown): KeyShapes | undefined {
  const keys = isObject(keySet) && Array.isArray(keySet.keys)
    ? keySet.keys.filter(isObject)
    : undefined;
  if (!keys || keys.length === 0) return undefined;
  const types = keys.map(({ kty, crv, alg, use }) =>
    [kty, crv, alg, use].filter((each) => typeof each === "string").join(" ")
  );
  const names = keys.flatMap(Object.keys).filter((name) => !valueMembers.includes(name));
  return { types: [...new Set(types)].sort(), members: [...new Set(names)].sort() };
}
