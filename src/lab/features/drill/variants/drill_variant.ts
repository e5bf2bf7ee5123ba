import type { Basis, FindingClass } from "../../../findings/finding.ts";
import { basisOf, type SentenceName } from "../../../findings/sentences.ts";
import type { FaultName } from "../../faults/catalogue.ts";

/**
 * What an application must do with a variant: refuse the login, or complete it although something is
 * unusual. Where the specifications permit both, neither is a finding.
 */
export type Expectation = "refuse" | "accept" | "either";

/** What follows a login, for the faults that need it. */
export type AfterLogin = "refresh" | "logout" | "backchannel_logout";

/** One hostile or unusual variant of a login. */
export interface DrillVariant extends Basis {
  /** The fault that makes the login hostile or unusual. */
  fault: FaultName;
  /** What the application must do with it. */
  expectation: Expectation;
  /** What it is if the application does the opposite; none where it may do either. */
  class?: FindingClass | undefined;
  /** What follows the login, if the fault is about that. */
  after?: AfterLogin;
  /** How often the fault fires; by default always. */
  times?: number;
  /** Whether it takes two such requests at once. */
  twice?: boolean;
  /** Whether a user who tries again after the failure must be signed in. */
  recovers?: boolean;
  /** Whom the pages show if the application used what it must not: the wrong user, or the right one. */
  shows?: "wrong" | "right";
  /** Whether only an application that calls userinfo can notice it. */
  needsUserinfo?: boolean;
  /** Whether only an application that has fetched the key set can notice it. */
  needsKeys?: boolean;
  /** Whether an application without keys may notice it in the header of a JWT. */
  showsInHeader?: boolean;
}

/** Whether an application breaks a rule if it does the opposite of what is expected. */
export function isBinding({ class: kind }: Pick<DrillVariant, "class">): boolean {
  return kind === "attack" || kind === "rule";
}

/** Returns what makes variants: what doing the opposite is, the sentence that decides, the faults. */
function variantsTo(expectation: Expectation) {
  return (
    kind: FindingClass | undefined,
    sentence: SentenceName,
    faults: readonly FaultName[],
    more: Omit<Partial<DrillVariant>, keyof Basis | "fault" | "expectation" | "class"> = {},
  ): DrillVariant[] =>
    faults.map((fault) => ({
      fault,
      expectation,
      class: kind,
      ...basisOf(sentence),
      ...more,
    }));
}

/** Makes variants that an application must refuse. */
export const refuse = variantsTo("refuse");

/** Makes variants that an application must accept. */
export const accept = variantsTo("accept");

/** Makes variants that an application may refuse or accept. */
export const either = variantsTo("either").bind(undefined, undefined);
