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
  /** How many more there are. */
  more: number;
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
  /** How many more there are. */
  more?: number | undefined;
  /** What an attacker gains if it is broken. */
  gain?: string | undefined;
  /** What to do about a broken rule. */
  fix?: string | undefined;
  /** The section of the specification. */
  see?: string | undefined;
}

/** A rule, or what a feature finds out about clients, as far as it can be explained. */
export interface ExplainableRule {
  id: string;
  title: string;
  gain?: string | undefined;
  fix?: string | undefined;
  see?: string | undefined;
}

/** What clients and APIs did wrong. */
export interface AgentFindings {
  /** Whether nothing is wrong. */
  clean: boolean;
  /** How many requests, variants or checks showed something. With 0, `clean` proves nothing. */
  tried: number;
  /** The findings of this page. */
  findings: Finding[];
  /** How many more there are. */
  more: number;
}
