import { unknownName } from "../lab_error.ts";
import { callbackFaults } from "./callback_faults.ts";
import { countedFaults } from "./counted_faults.ts";
import { documentFaults } from "./document_faults.ts";
import type { FaultKind } from "./fault.ts";
import { httpFaults } from "./http_faults.ts";
import { jwtFaults } from "./jwt_faults.ts";
import { tokenFaults } from "./token_faults.ts";

/** Every way in which a lab can misbehave, by name. */
export const catalogue: ReadonlyMap<string, FaultKind> = new Map(Object.entries({
  ...httpFaults(),
  ...tokenFaults,
  ...countedFaults,
  ...jwtFaults(),
  ...callbackFaults,
  ...documentFaults,
}));

export function findFault(name: string): FaultKind {
  const kind = catalogue.get(name);
  if (!kind) throw unknownName("fault", name, [...catalogue.keys()]);
  return kind;
}
