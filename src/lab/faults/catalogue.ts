import { unknownName } from "../lab_error.ts";
import { type CallbackFault, callbackFaults } from "./callback_faults.ts";
import { type CountedFault, countedFaults } from "./counted_faults.ts";
import { type DocumentFault, documentFaults } from "./document_faults.ts";
import type { FaultKind } from "./fault.ts";
import { type HttpFault, httpFaults } from "./http_faults.ts";
import { type JwtFault, jwtFaults } from "./jwt_faults.ts";
import { type TokenFault, tokenFaults } from "./token_faults.ts";

/** The name of a fault. */
export type FaultName =
  | HttpFault
  | TokenFault
  | CountedFault
  | JwtFault
  | CallbackFault
  | DocumentFault;

const kinds: Readonly<Record<FaultName, FaultKind>> = {
  ...httpFaults(),
  ...tokenFaults,
  ...countedFaults,
  ...jwtFaults(),
  ...callbackFaults,
  ...documentFaults,
};

/** Every way in which a lab can misbehave, by name. */
export const catalogue: ReadonlyMap<string, FaultKind> = new Map(Object.entries(kinds));

/** Returns the fault with a name; throws a `LabError` if there is none. */
export function findFault(name: string): FaultKind {
  const kind = catalogue.get(name);
  if (!kind) throw unknownName("fault", name, nearestFirst(name, [...catalogue.keys()]));
  return kind;
}

/** Sorts the names that begin like a misspelled one first, because there are many. */
function nearestFirst(name: string, names: readonly string[]): string[] {
  const commonStart = (other: string) =>
    [...other].findIndex((character, at) => character !== name[at]);
  return names.toSorted((one, other) => commonStart(other) - commonStart(one));
}
