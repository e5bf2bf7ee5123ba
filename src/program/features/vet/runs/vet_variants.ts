import {
  type DrillVariant,
  drillVariants,
  mcpVariantsFor,
  selectVariants,
  sessionFixation,
} from "../../../../lab/features/drill/variants/variants.ts";
import type { FaultName } from "../../../../lab/features/faults/catalogue.ts";
import { LabError } from "../../../../lab/util/lab_error.ts";

/**
 * The variants of both drills that can change the traffic of a suite. They leave out session
 * fixation, which needs the login of an attacker, and what a user must do twice: a suite has only
 * the logins of its tests.
 */
export const vetVariants: readonly DrillVariant[] = [
  ...drillVariants.filter(isOfSuites),
  ...mcpVariantsFor([]).filter((each) =>
    isOfSuites(each) && !drillVariants.some(({ fault }) => each.fault === fault)
  ),
];

function isOfSuites({ fault, recovers = false }: DrillVariant): boolean {
  return fault !== sessionFixation && !recovers;
}

export function selectVetVariants(only: readonly FaultName[] | undefined): readonly DrillVariant[] {
  if (!only) return vetVariants;
  if (only.includes(sessionFixation)) {
    throw new LabError(`Only a drill can try '${sessionFixation}': no suite signs an attacker in.`);
  }
  const second = drillVariants.find(({ fault, recovers }) => recovers && only.includes(fault));
  if (second) {
    throw new LabError(`Only a drill can try '${second.fault}': no suite tries a login again.`);
  }
  return selectVariants(only, vetVariants);
}
