import { unknownName } from "../lab_error.ts";
import { type CallbackFault, callbackFaults } from "./callback_faults.ts";
import { type CountedFault, countedFaults } from "./counted_faults.ts";
import { type DocumentFault, documentFaults } from "./document_faults.ts";
import type { FaultKind } from "./fault.ts";
import { type HttpFault, httpFaults } from "./http_faults.ts";
import { type JwtFault, jwtFaults } from "./jwt_faults.ts";
import { type TokenFault, tokenFaults } from "./token_faults.ts";

/** The names of all faults, as an editor offers them. */
export type FaultName =
  | HttpFault
  | TokenFault
  | CountedFault
  | JwtFault
  | CallbackFault
  | DocumentFault;

const kinds: Record<FaultName, FaultKind> = {
  ...httpFaults(),
  ...tokenFaults,
  ...countedFaults,
  ...jwtFaults(),
  ...callbackFaults,
  ...documentFaults,
};

/** Every way in which a lab can misbehave, by name. */
export const catalogue: ReadonlyMap<string, FaultKind> = new Map(Object.entries(kinds));

export function findFault(name: string): FaultKind {
  const kind = catalogue.get(name);
  if (!kind) throw unknownName("fault", name, nearestFirst(name, [...catalogue.keys()]));
  return kind;
}

/** There are many, so those that begin alike come first. */
function nearestFirst(name: string, known: string[]): string[] {
  const alike = (other: string) => [...other].findIndex((character, at) => character !== name[at]);
  return known.sort((one, other) => alike(other) - alike(one));
}
