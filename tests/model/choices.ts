import { type Access, everyKind } from "./store_calls.ts";

/**
 * What can go wrong, once in a schedule: an operation dies, and makes no more calls; a call fails;
 * or it happens, but is reported as a failure.
 */
export type Fault = "dies" | "fails" | "is lost" | "is late";

/** A step that a schedule may take next: a call happens, or something goes wrong. */
export interface Choice {
  /** Names the step, the same in every schedule. */
  key: string;
  actor: number;
  /** What the step touches in the store, if anything. */
  access?: Access | undefined;
  fault?: Fault | undefined;
  /** Whether its caller has given the call up. */
  isLate?: boolean | undefined;
}

/**
 * Whether the order of two steps can matter. Two calls commute if they touch different rows, or if
 * both only read, or if both delete.
 */
export function isDependent(one: Choice, other: Choice): boolean {
  const faults = [one, other].filter(({ fault }) => fault !== undefined).length;
  // After one fault there is no other, and its operation goes another way.
  if (faults === 2 || (faults === 1 && one.actor === other.actor)) return true;
  return partsOf(one).some((part) => partsOf(other).some((rival) => canMeet(part, rival)));
}

function partsOf({ access }: Choice): readonly Access[] {
  return access ? access.parts ?? [access] : [];
}

function canMeet(one: Access, other: Access): boolean {
  if (one.deletes && other.deletes) return false;
  return (one.writes || other.writes) && isSameRow(one, other);
}

function isSameRow(one: Access, other: Access): boolean {
  if (one.kind === everyKind || other.kind === everyKind) return true;
  if (one.kind !== other.kind) return false;
  return one.id === undefined || other.id === undefined || one.id === other.id;
}
