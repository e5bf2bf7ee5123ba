import type { Basis } from "../../../findings/finding.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import type { DrillAttempt, RowVerdict } from "../../verdicts/conclude.ts";
import type { AfterLogin, DrillSteps } from "../login_steps.ts";
import type { ObservedLogin, Reading, SeenReader } from "./readers.ts";

export type { AfterLogin } from "../login_steps.ts";

/**
 * What an application must do with a variant: refuse the login, or complete it although something is
 * unusual. Where the specifications permit both, neither is a finding.
 */
export type Expectation = "refuse" | "accept" | "either";

/** One hostile or unusual variant of a login, as results name it. */
export interface DrillVariant extends Basis {
  /** The fault that makes the login hostile or unusual. */
  fault: FaultName;
  /** What the application must do with it. */
  expectation: Expectation;
  /**
   * Whether the specification says that the application must or should do that, or leaves it open
   * although more may come of it. None where it may do either.
   */
  rule?: "must" | "should" | "may" | undefined;
  /** What follows the login, if the fault is about that. */
  after?: AfterLogin;
  /** How often the fault fires; by default always. */
  times?: number;
}

/** What a drill tries with a fault: what an application does then, and how to read what was seen. */
export interface DrillRow extends DrillVariant {
  /** The id of the requirement that it looks at. */
  requirement: string;
  /** What the application is made to do. */
  steps: DrillSteps;
  /** Returns what it did, by what the lab and the pages show. */
  reads: SeenReader;
  /** What the drill finds out first. */
  learns?: LearntFact | undefined;
  /** Whether it makes the ID token larger: an application may refuse its size alone. */
  enlarges?: boolean | undefined;
  run(login: RowLogin): Promise<RowVerdict<RowAttempt>>;
}

/** A login that can be repeated, with faults and without. */
export interface RowLogin {
  /** Takes some steps, under a fault or none. */
  take(steps: DrillSteps, under?: TriedFault): Promise<ObservedLogin>;
  /** Returns the flow in which some steps have succeeded a moment ago. */
  recent(steps: DrillSteps): string | undefined;
  /** Finds out what a reader must know of the application; once in a drill. */
  learn(fact: LearntFact): Promise<void>;
}

/** A fault under which steps are taken, with its settings. */
export interface TriedFault extends Pick<DrillRow, "fault" | "times" | "learns"> {
  claims?: Record<string, unknown>;
}

/** What a login showed under a variant. */
export interface RowAttempt extends DrillAttempt, Reading {
  login: ObservedLogin;
}

/** What a drill finds out of an application before a variant that needs it. */
export type LearntFact = "verifies" | "showsUserinfo";

/** How a variant differs from a login that must succeed, or fail. */
export type VariantParts = Partial<
  Pick<DrillRow, "requirement" | "steps" | "times" | "reads" | "learns" | "enlarges">
>;

/** Returns a variant as results name it. */
export function variantOf(
  { fault, expectation, rule, see, why, binds, since, after, times }: DrillVariant,
): DrillVariant {
  return {
    ...{ fault, expectation, rule, see, why, binds },
    ...since && { since },
    ...after && { after },
    ...times && { times },
  };
}
