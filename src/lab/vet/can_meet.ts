import { audienceInjection, type DrillVariant, drillVariants } from "../drill/variants.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { mcpStep, type Traffic } from "./traffic.ts";

/** Whether the suite would show how its client handles a variant, by its traffic without one. */
export function canMeet(
  { fault, needsUserinfo = false, needsKeys = false, showsInHeader = false }: DrillVariant,
  { changeable, steps, revealing }: Traffic,
): boolean {
  if (!changeable.has(fault)) return false;
  // What follows is a rule for clients of the Model Context Protocol alone.
  const isForAll = drillVariants.some((each) => each.fault === fault);
  if (!isForAll && steps[mcpStep] === undefined) return false;
  if (needsUserinfo && steps.userinfo === undefined) return false;
  const isBlindWithoutKeys = needsKeys && !showsInHeader;
  if (isBlindWithoutKeys && !revealing.some(({ endpoint }) => endpoint === "jwks")) return false;
  // The request that would show it goes to another server, unless there is one beside it.
  return fault !== audienceInjection || revealing.some(isAssertionBesideTokens);
}

function isAssertionBesideTokens({ endpoint, form }: WireRequest): boolean {
  return form.has("client_assertion") && endpoint !== "token";
}
