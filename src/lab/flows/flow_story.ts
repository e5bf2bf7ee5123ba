import type { EndpointName } from "../../server/config/paths_config.ts";
import { describeSpan, minute } from "../../server/util/time/duration.ts";
import type { Exchange, WireRequest } from "../recording/exchange.ts";
import type { Refusal } from "../recording/refusal.ts";
import { companyId } from "../recording/tenant_client.ts";

/** The endpoints that a browser visits. Programs call the others. */
const browserEndpoints: ReadonlyArray<EndpointName | undefined> = [
  "authorize",
  "device",
  "logout",
  "interaction",
];

/** The participants from left to right, as diagrams name them. */
export const participantNames = {
  browser: "Browser",
  client: "Client",
  company: "Company",
  hallpass: "Hallpass",
  mcp: "MCP server",
  api: "API",
};

/** Who takes part in a flow. */
export type Participant = keyof typeof participantNames;

export function responderOf({ isMcp = false, tenant }: Exchange): Participant {
  if (isMcp) return "mcp";
  return tenant === companyId ? "company" : "hallpass";
}

/** Returns who sent a request. Introspection by another client is that of an API (RFC 7662). */
export function participantOf(request: WireRequest, flowClient: string | undefined): Participant {
  if (isFromBrowser(request)) return "browser";
  const isOther = request.client !== undefined && request.client !== flowClient;
  return request.endpoint === "introspect" && isOther ? "api" : "client";
}

/** One message between two participants. */
export interface FlowArrow {
  /** Counted from 1 within the flow. */
  step: number;
  from: Participant;
  to: Participant;
  /** What is sent, in a few words: "POST /oauth2/token". */
  title: string;
  /** What matters in it: "grant_type authorization_code". */
  note?: string | undefined;
  /** The recorded request that it belongs to. */
  exchange: number;
  part: "request" | "response";
  /** Whether the lab did not see the message, but knows that it is sent. */
  isInferred: boolean;
  /** Whether it refuses something, or did not arrive. */
  isFailed: boolean;
  /** Why it refuses something, in one sentence, with the section that requires it. */
  reason?: string | undefined;
  /** The names of the faults that changed it. */
  faults: readonly string[];
  /** How long after the message before, in milliseconds of the lab's clock. */
  pause: number;
}

/** Returns what is written next to the title of an arrow: what matters in it, and its faults. */
export function arrowNotes({ note, faults }: FlowArrow): string[] {
  return [...note === undefined ? [] : [note], ...faults.map((fault) => `fault ${fault}`)];
}

/** Returns all that is written at an arrow: its title, and what is next to it. */
export function arrowTexts(arrow: FlowArrow): string[] {
  return [arrow.title, ...arrowNotes(arrow)];
}

/** Shortens a text to a length, which a diagram has room for, and splits no character. */
export function shorten(text: string, length: number): string {
  const limit = Math.max(2, Math.floor(length));
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Shortens the random ids of a path, which say nothing to a reader. */
export function shortenPath(path: string): string {
  return path.replace(/[^/]{24,}/g, "…");
}

/**
 * Formats how much later something happened, in milliseconds: "6 minutes later". Returns undefined
 * for a pause that is too short to be drawn.
 */
export function describePause(milliseconds: number): string | undefined {
  if (Math.abs(milliseconds) < minute * 1000) return undefined;
  return `${describeSpan(milliseconds)} ${milliseconds < 0 ? "earlier" : "later"}`;
}

export interface FlowOutcome {
  kind: "good" | "bad" | "neutral";
  /** A few words: "Tokens issued". */
  title: string;
  /** Why the server refused the request that decided it. */
  refusal?: Refusal | undefined;
  /** The title of the page on which the user has to do something. */
  page?: string | undefined;
}

/** Names who takes part in a flow: "alice → demo-web". */
export function nameParties(
  { client = "unknown client", user }: Pick<FlowStory, "client" | "user">,
): string {
  return user === undefined ? client : `${user} → ${client}`;
}

/** The longest name that is shown whole, in characters: clients choose their ids. */
export const maxNameLength = 80;

/** Names a flow by who signed in where, and when: "alice → demo-web, 18:11". */
export function nameFlow(
  { startedAt, ...parties }: Pick<FlowStory, "client" | "user" | "startedAt">,
): string {
  return `${shorten(nameParties(parties), maxNameLength)}, ${
    new Date(startedAt).toISOString().slice(11, 16)
  }`;
}

/** One flow, told as messages between its participants. */
export interface FlowStory {
  id: string;
  /** The name of the client, with that of its tenant. */
  client: string | undefined;
  /** The name of the user who signed in. */
  user: string | undefined;
  /** When it began, in milliseconds of the lab's clock. */
  startedAt: number;
  outcome: FlowOutcome;
  /** Those that send or receive something, from left to right. */
  participants: readonly Participant[];
  arrows: readonly FlowArrow[];
}

/** Whether a browser visits a page. */
function isFromBrowser({ endpoint, headers }: WireRequest): boolean {
  if (browserEndpoints.includes(endpoint)) return true;
  return endpoint === undefined && (headers.accept ?? "").includes("text/html");
}
