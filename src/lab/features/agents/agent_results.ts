import type { Finding } from "../../findings/finding.ts";
import type { Refusal } from "../../recording/refusal.ts";

/** A client as its application needs it. */
export interface AgentClient {
  /** The issuer. */
  issuer: string;
  /** The client_id. */
  clientId: string;
  /** The client secret, if the client has one. */
  clientSecret?: string | undefined;
  /** Where users return to. */
  redirectUris: string[];
  /** The lines of a library. */
  lines?: string | undefined;
  /** The file that they belong into. */
  file?: string | undefined;
}

/** A flow in one line. */
export interface FlowLine {
  /** The id, for explain: flow-3. */
  id: string;
  /** The client that began it. */
  client?: string | undefined;
  /** The user who signed in. */
  user?: string | undefined;
  /** What became of it. */
  outcome: string;
  /** The rule that was broken. */
  rule?: string | undefined;
  /** When it began, by the clock of the lab. */
  startedAt: string;
}

/** Some flows, the newest first. */
export interface FlowLines {
  /** The flows of this page. */
  flows: FlowLine[];
  /** How many flows there are on all pages. */
  total: number;
}

/** A request that the lab refused, with what to do. */
export interface ExplainedRequest extends Refusal {
  /** The request: POST /oauth2/token. */
  request: string;
  /** Its number. */
  id: number;
}

/** Why something was refused. */
export interface Explanation {
  /** The flow, the request or the rule. */
  about: string;
  /** What became of it, or what the rule requires. */
  outcome: string;
  /** The refused requests, the oldest first. */
  refused?: ExplainedRequest[] | undefined;
  /** What to do about a broken rule. */
  fix?: string | undefined;
  /** The section of the specification. */
  see?: string | undefined;
}

/** What the clients did wrong, what is most important first. */
export interface AgentReport {
  /** Whether no client and no drilled API broke a rule. */
  clean: boolean;
  /** Whether a request reached the lab. If not, the report shows nothing. */
  reached: boolean;
  /** The first ten findings. */
  findings: Finding[];
  /** How many more there are. */
  more: number;
}

/** What a drill found. */
export interface DrillSummary {
  /** Whether nothing is wrong. */
  passed: boolean;
  /** How many variants or checks it tried. */
  tried: number;
  /** How many of them showed nothing: what they change was not used. */
  unmet: number;
  /** The first ten findings. */
  findings: Finding[];
  /** How many more there are. */
  more: number;
}
