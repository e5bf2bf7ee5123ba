import type { Check, Finding } from "../../findings/finding.ts";
import { describeVerdict, summarizeFindings, type Verdict } from "../../findings/verdict.ts";
import { LabError } from "../../util/lab_error.ts";
import type { DrillApplication } from "./application_login.ts";
import type { PlaywrightBrowser } from "./browser/playwright_types.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** The login that a drill repeats: a function of a test, or an application that the lab visits. */
export type DrillLogin = (() => Promise<unknown>) | BrowsedApplication;

/** An application that a test drills. */
export interface BrowsedApplication extends DrillApplication {
  /**
   * A browser of Playwright, for pages that scripts make: `await chromium.launch()`. The drill opens
   * contexts in it, and closes them.
   *
   * @default a browser of the lab, which runs no scripts
   */
  browser?: PlaywrightBrowser | undefined;
}

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
  /** The grade, what it is for, and what was not tested or not judged. */
  verdict: Verdict;
  /**
   * What is wrong with the application, the worst first: what `accepted` and `wronglyRefused` name,
   * and what its session and its logins show. Those of grade B break no rule.
   */
  findings: Finding[];
  /** The variants that the application accepted as a login, against a rule. */
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

/** The current drill of a lab, or else the last one, with the URLs that it was given or has found. */
export interface DrillProgress extends DrillResult, Omit<DrillApplication, "start" | "password"> {
  /** Whether a drill runs, has finished, or was stopped by a problem. */
  state: "none" | "running" | "finished" | "stopped";
  /** The URL that begins the login, if the lab visits an application. */
  start?: string | undefined;
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
  verdict: { tested: 0, total: 0, untested: [], notes: [] },
  findings: [],
  accepted: [],
  refused: [],
  tolerated: [],
  wronglyRefused: [],
  unmet: [],
  outcomes: [],
  checks: [],
};

/** Returns the result in a sentence: "Findings: 1 F, 2 C". */
export function summarizeDrill({ findings }: DrillResult): string {
  return summarizeFindings(findings);
}

/** Returns the same, with the grade and what it is for. */
export function describeDrill(result: DrillResult): string {
  return `${summarizeDrill(result)}. ${describeVerdict(result.verdict)}`;
}

/** Whether a drill has found out anything. */
export function hasResult({ state, outcomes, checks }: DrillProgress): boolean {
  return state === "finished" || outcomes.length + checks.length > 0;
}

/** Returns the message of an error without the diagram of the flow, which has its own page. */
export function firstParagraph(message: string | undefined): string | undefined {
  return message?.split("\n\n", 1)[0];
}
