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
 * The variants of both drills that can change the traffic of a suite. They leave out
 * session fixation: it needs the login of an attacker, and a suite has only those of its tests.
 */
export const vetVariants: readonly DrillVariant[] = [
  ...drillVariants.filter(({ fault }) => fault !== sessionFixation),
  ...mcpVariantsFor([]).filter(({ fault }) => !drillVariants.some((each) => each.fault === fault)),
];

/** Returns the variants with the given faults, or all. */
export function selectVetVariants(only: readonly FaultName[] | undefined): readonly DrillVariant[] {
  if (!only) return vetVariants;
  if (only.includes(sessionFixation)) {
    throw new LabError(`Only a drill can try '${sessionFixation}': no suite signs an attacker in.`);
  }
  return selectVariants(only, vetVariants);
}
