import { counted } from "../../../server/util/time/duration.ts";
import { type Check, type Finding, isViolation } from "../../findings/finding.ts";
import { LabError } from "../../util/lab_error.ts";
import type { DrillApplication } from "./application_login.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant, Expectation } from "./variants/drill_variant.ts";

/** The login that a drill repeats: a function of a test, or an application that the lab visits. */
export type DrillLogin = (() => Promise<unknown>) | DrillApplication;

/** Options of a drill of a client of the Model Context Protocol. */
export interface McpDrillOptions {
  /**
   * The id of the tenant whose server misbehaves.
   *
   * @default none: the lab itself
   */
  tenant?: string | undefined;
}

/** How an application handled the variants of a login. */
export interface DrillResult {
  /**
   * What is wrong with the application: what `accepted` and `wronglyRefused` name, and what its
   * session shows. Those with the level `advice` break no rule.
   */
  findings: Finding[];
  /** The variants that the application accepted as a login, against the rule. */
  accepted: DrillVariant[];
  /** The faults of the variants that it rejected, as it should, or may. */
  refused: string[];
  /** The faults of the variants that it accepted, and need not refuse. */
  tolerated: string[];
  /** The variants that it rejected, although it must accept them. */
  wronglyRefused: DrillVariant[];
  /**
   * The faults that never fired, or that the application cannot notice, because it does not use
   * what they change.
   */
  unmet: string[];
  /** What happened under each variant, in order. */
  outcomes: DrillOutcome[];
  /** What its session shows without any fault, if the lab visits it. */
  checks: Check[];
}

/** The current drill of a lab, or else the last one. */
export interface DrillProgress extends DrillResult {
  /** Whether a drill runs, has finished, or was stopped by a problem. */
  state: "none" | "running" | "finished" | "stopped";
  /** The URL that begins the login, if the lab visits an application. */
  start?: string | undefined;
  /** The URL that only someone who is signed in can open, if it is another one. */
  check?: string | undefined;
  /** The URL that makes the application refresh its tokens, if the drill knows it. */
  refresh?: string | undefined;
  /** The URL that signs the user out, if the drill knows it. */
  logout?: string | undefined;
  /** The name of the user who signs in, if the drill knows it. */
  user?: string | undefined;
  /** Whether it drills a client of the Model Context Protocol. */
  mcp?: boolean | undefined;
  /** How many variants there are in the drill. */
  total: number;
  /** The last drill that had a result, if this one has none. */
  last?: DrillProgress | undefined;
  /** Why the drill was stopped. */
  problem?: string | undefined;
  /** The URL that is at fault, by its name: `"logout"`. */
  field?: string | undefined;
  /** The number of the request that the lab refused, if that stopped the drill. */
  refusedRequest?: number | undefined;
}

/** Thrown if a login fails without a fault. */
export class FailedLogin extends LabError {
  /** The number of the request that the lab refused. */
  readonly request: number | undefined;

  constructor(message: string, { request, field }: Pick<FailedLogin, "request" | "field">) {
    super(message, { field });
    this.request = request;
  }
}

/** The result of a drill that has tried nothing. */
export const noResult: DrillResult = {
  findings: [],
  accepted: [],
  refused: [],
  tolerated: [],
  wronglyRefused: [],
  unmet: [],
  outcomes: [],
  checks: [],
};

/** Returns the verdict: "Accepts 6 attacks of 64". One that the application never met is none. */
export function summarizeDrill(
  { accepted, wronglyRefused, outcomes, checks }: DrillResult,
): string {
  const attacks =
    outcomes.filter(({ expectation, outcome }) => expectation === "refuse" && outcome !== "unmet")
      .length;
  const wrong = wronglyRefused.length === 0
    ? ""
    : `, and refuses ${counted(wronglyRefused.length, "valid login")}`;
  const failed = checks.filter(({ findings = [] }) => findings.some(isViolation)).length;
  const session = failed === 0 ? "" : `, and fails ${counted(failed, "check")} of its session`;
  const number = accepted.length === 0 ? "no attack" : counted(accepted.length, "attack");
  const joined = wrong && session ? `${wrong.replace(", and ", ", ")}${session}` : wrong + session;
  return `Accepts ${number} of ${attacks}${joined}`;
}

const signaturesUntested = " Signatures were not tested: the application fetched no keys.";

/** Returns what became of each login, in numbers that add up to those of the verdict. */
export function describeDrillCounts(result: DrillResult): string {
  const { outcomes, accepted, refused, wronglyRefused, tolerated, unmet } = result;
  const count = (expected: Expectation, became: DrillOutcome["outcome"]) =>
    outcomes.filter(({ expectation, outcome }) => expectation === expected && outcome === became)
      .length;
  const [refusedAttacks, validLogins] = [count("refuse", "refused"), count("accept", "tolerated")];
  const parts = [
    accepted.length > 0 && `${counted(accepted.length, "attack")} accepted`,
    refusedAttacks > 0 && `${counted(refusedAttacks, "attack")} refused`,
    validLogins > 0 && `${counted(validLogins, "valid login")} accepted`,
    wronglyRefused.length > 0 && `${counted(wronglyRefused.length, "valid login")} refused`,
    unmet.length > 0 && `${unmet.length} that changed nothing the application uses`,
  ].filter(Boolean).join(", ");
  const either = [
    refused.length > refusedAttacks && `${refused.length - refusedAttacks} refused`,
    tolerated.length > validLogins && `${tolerated.length - validLogins} accepted`,
  ].filter(Boolean).join(", ");
  const optional = either && `optional checks: ${either}`;
  const untested = leavesSignaturesUntested(outcomes) ? signaturesUntested : "";
  const logins = outcomes.length === 0
    ? ""
    : `Of ${counted(outcomes.length, "login")}, ${
      [parts, optional].filter(Boolean).join("; ")
    }.${untested}`;
  return [logins, describeSession(result)].filter(Boolean).join(" ");
}

function describeSession({ checks }: DrillResult): string {
  const found = checks.flatMap(({ findings = [] }) => findings);
  if (found.length === 0) return "";
  const violations = found.filter(isViolation).length;
  return `Its session: ${counted(violations, "violation")}, ` +
    `${counted(found.length - violations, "piece")} of advice.`;
}

/** Whether a drill has found out anything. */
export function hasResult({ state, outcomes, checks }: DrillProgress): boolean {
  return state === "finished" || outcomes.length + checks.length > 0;
}

/** Returns the message of an error without the diagram of the flow, which has its own page. */
export function firstParagraph(message: string | undefined): string | undefined {
  return message?.split("\n\n", 1)[0];
}

/** Whether a drill had wrong signatures, and the application has no keys to notice one with. */
function leavesSignaturesUntested(outcomes: readonly DrillOutcome[]): boolean {
  const signed = outcomes.filter(({ needsKeys = false, expectation }) =>
    needsKeys && expectation === "refuse"
  );
  return signed.length > 0 && signed.every(({ outcome }) => outcome === "unmet");
}
