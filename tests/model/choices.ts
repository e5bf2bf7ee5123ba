import { type Access, everyKind } from "./store_calls.ts";

/** A step that a schedule may take next: a call happens, or an operation dies before its call. */
export interface Choice {
  /** Names the step, the same in every schedule. */
  key: string;
  actor: number;
  /** What the step touches; undefined if the operation dies. */
  access?: Access | undefined;
}

/**
 * Whether the order of two steps can matter. Two calls commute if they touch different rows, or if
 * both only read, or if both delete.
 */
export function isDependent(one: Choice, other: Choice): boolean {
  if (!one.access || !other.access) {
    // At most one operation dies in a schedule, and its own calls end there.
    return one.actor === other.actor || (!one.access && !other.access);
  }
  if (one.access.deletes && other.access.deletes) return false;
  return (one.access.writes || other.access.writes) && isSameRow(one.access, other.access);
}

function isSameRow(one: Access, other: Access): boolean {
  if (one.kind === everyKind || other.kind === everyKind) return true;
  if (one.kind !== other.kind) return false;
  return one.id === undefined || other.id === undefined || one.id === other.id;
}
