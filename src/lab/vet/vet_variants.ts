import {
  audienceInjection,
  type DrillVariant,
  drillVariants,
  selectVariants,
  sessionFixation,
} from "../drill/variants.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";
import type { Traffic } from "./traffic.ts";

/**
 * The variants of the drill that can change the traffic of a suite. They leave out
 * session fixation: it needs the login of an attacker, and a suite has only those of its tests.
 */
export const vetVariants: readonly DrillVariant[] = drillVariants
  .filter(({ fault }) => fault !== sessionFixation);

/** Returns the variants with the given faults, or all. */
export function selectVetVariants(only: readonly FaultName[] | undefined): readonly DrillVariant[] {
  if (!only) return vetVariants;
  if (only.includes(sessionFixation)) {
    throw new LabError(`Only a drill can try '${sessionFixation}': no suite signs an attacker in.`);
  }
  return selectVariants(only);
}

/** Whether the suite would show how its client handles a variant, by its traffic without one. */
export function canMeet(
  { fault, needsUserinfo = false, needsKeys = false }: DrillVariant,
  { changeable, steps, revealing }: Traffic,
): boolean {
  if (!changeable.has(fault)) return false;
  if (needsUserinfo && steps.userinfo === undefined) return false;
  if (needsKeys && !revealing.some(({ endpoint }) => endpoint === "jwks")) return false;
  // The request that would show it goes to another server, unless there is one beside it.
  return fault !== audienceInjection || revealing.some(isAssertionBesideTokens);
}

function isAssertionBesideTokens({ endpoint, form }: WireRequest): boolean {
  return form.has("client_assertion") && endpoint !== "token";
}
