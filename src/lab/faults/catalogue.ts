import { unknownName } from "../lab_error.ts";
import type { CallbackFault } from "./callback_faults.ts";
import { callbackFaults } from "./callback_faults.ts";
import type { CountedFault } from "./counted_faults.ts";
import { countedFaults } from "./counted_faults.ts";
import type { DocumentFault } from "./document_faults.ts";
import { documentFaults } from "./document_faults.ts";
import type { FaultKind } from "./fault.ts";
import type { HttpFault } from "./http_faults.ts";
import { httpFaults } from "./http_faults.ts";
import type { JwtFault } from "./jwt_faults.ts";
import { jwtFaults } from "./jwt_faults.ts";
import type { TokenFault } from "./token_faults.ts";
import { tokenFaults } from "./token_faults.ts";

/** The names of all faults, as an editor offers them. */
export type FaultName = HttpFault | TokenFault | CountedFault | JwtFault | CallbackFault | DocumentFault;

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
