import type { FindingClass } from "../../../findings/finding.ts";
import type { DrillOutcome } from "./drill_outcome.ts";
import { sessionFixation } from "./login_variants.ts";

/** What a drill saw of an application that decides what accepting a variant is. */
export interface ApplicationTraits {
  /** Whether its requests have a code_challenge. */
  sendsChallenge: boolean;
  /** Whether it signs users in at several servers with one redirect URI. */
  sharesRedirectUri: boolean;
  isRefused(fault: string): boolean;
}

interface Condition {
  faults: RegExp;
  /** Returns undefined where the class of the variant is right. */
  classIn(traits: ApplicationTraits): FindingClass | undefined;
  /** What is at stake in the class that it has then. */
  gain?: string;
}

const conditions: readonly Condition[] = [
  {
    // The state has nothing to protect where another tie to the browser does (RFC 9700, 2.1).
    faults: /^callback\.(wrong|without)_state$/,
    classIn: ({ isRefused }) =>
      ["callback.foreign_code", sessionFixation].every(isRefused) ? "advice" : undefined,
    gain: "PKCE or the nonce stops the attack here; the state would before a code is redeemed.",
  },
  {
    faults: /^callback\.(.*_)?iss(_|$)/,
    classIn: ({ sharesRedirectUri }) => sharesRedirectUri ? "attack" : undefined,
  },
  {
    // Without a verifier, the nonce in the ID token is all that ties the code to the session.
    faults: /^token\.without_id_token$/,
    classIn: ({ sendsChallenge }) => sendsChallenge ? undefined : "rule",
  },
];

/** Gives each outcome the class that it has for this application. */
export function classifyOutcomes(
  outcomes: readonly DrillOutcome[],
  traits: ApplicationTraits,
): DrillOutcome[] {
  return outcomes.map((outcome) => {
    const { classIn, gain } = conditions.find(({ faults }) => faults.test(outcome.fault)) ?? {};
    const kind = classIn?.(traits);
    return kind ? { ...outcome, class: kind, ...gain && { gain } } : outcome;
  });
}
