import {
  audienceInjection,
  type DrillVariant,
  drillVariants,
} from "../../../../lab/features/drill/variants/variants.ts";
import type { WireRequest } from "../../../../lab/recording/exchange.ts";
import { mcpStep, type Traffic } from "./traffic.ts";

/**
 * Returns why the suite would not show how its client handles a variant, by its traffic without
 * one; undefined if it would.
 */
export function unmetProblem(
  { fault, needsUserinfo = false, needsKeys = false, showsInHeader = false }: DrillVariant,
  { changeable, steps, revealing }: Traffic,
): string | undefined {
  if (!changeable.has(fault)) return "The suite gets no response that has it.";
  const isForAll = drillVariants.some((each) => each.fault === fault);
  if (!isForAll && steps[mcpStep] === undefined) {
    return "It is for clients of the Model Context Protocol, and the suite has none.";
  }
  if (needsUserinfo && steps.userinfo === undefined) {
    return "Only a request to userinfo shows it, and the suite sends none.";
  }
  const isBlindWithoutKeys = needsKeys && !showsInHeader;
  if (isBlindWithoutKeys && !revealing.some(({ endpoint }) => endpoint === "jwks")) {
    return "Your client never reads the keys, so it checks no signature.";
  }
  // The request that would show it goes to another server, unless there is one beside it.
  if (fault !== audienceInjection || revealing.some(isAssertionBesideTokens)) return undefined;
  return "Only a client assertion at another endpoint than the token endpoint shows it.";
}

function isAssertionBesideTokens({ endpoint, form }: WireRequest): boolean {
  return form.has("client_assertion") && endpoint !== "token";
}
