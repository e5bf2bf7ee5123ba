import { LabError } from "../../util/lab_error.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { type SessionCheck, type SessionCheckName, sessionChecks } from "./session_checks.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";
import { selectVariants } from "./variants/variants.ts";

/** What a drill tries, by its name: a fault, or a check of the session. */
export type DrillName = FaultName | SessionCheckName;

/** What a drill tries: variants of a login, and checks of its session. */
export interface DrillTries {
  variants: readonly DrillVariant[];
  checks: readonly SessionCheck[];
}

/** Returns what has the given names: faults, or ids of checks; without names, all. */
export function selectTries(
  only: readonly DrillName[] | undefined,
  variants: readonly DrillVariant[],
): DrillTries {
  if (!only) return { variants, checks: sessionChecks };
  if (!Array.isArray(only)) {
    throw new LabError(
      'The second argument of a drill is a list: lab.drill(login, ["callback.wrong_state"]).',
    );
  }
  const checks = sessionChecks.filter(({ id }) => only.includes(id));
  const isFault = (name: DrillName): name is FaultName => !checks.some(({ id }) => id === name);
  return { variants: selectVariants(only.filter(isFault), variants), checks };
}
