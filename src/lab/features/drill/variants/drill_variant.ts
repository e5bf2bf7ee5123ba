import type { FaultName } from "../../faults/catalogue.ts";

/**
 * What an application must do with a variant: refuse the login, or complete it although something
 * is unusual. Where the specifications permit both, neither is a finding.
 */
export type Expectation = "refuse" | "accept" | "either";

/** What follows a login, for the faults that need it. */
export type AfterLogin = "refresh" | "logout" | "backchannel_logout";

/** One hostile or unusual variant of a login. */
export interface DrillVariant {
  /** The fault that makes the login hostile or unusual. */
  fault: FaultName;
  /** What the application must do with it. */
  expectation: Expectation;
  /** The section with the rule that an application breaks if it does the opposite. */
  see: string;
  /** What follows the login, if the fault is about that. */
  after?: AfterLogin;
  /** Whether two tabs of one browser do at the same moment what the fault is about. */
  twice?: boolean;
  /** Whether the login may fail under the fault, if the next one in the same browser succeeds. */
  recovers?: boolean;
  /** How often the fault fires. Without it, each time. */
  times?: number;
  /** Whether only an application that calls userinfo can notice the fault. */
  needsUserinfo?: boolean;
  /** Whether only an application that fetches the key set can notice the fault. */
  needsKeys?: boolean;
  /** Whether an application without keys may notice the fault all the same, by the alg. */
  showsInHeader?: boolean;
}

/** Returns the variants of what an application does after its login. */
export function variantsAfter(step: AfterLogin, variants: readonly DrillVariant[]): DrillVariant[] {
  return variants.map((variant) => ({ ...variant, after: step }));
}
