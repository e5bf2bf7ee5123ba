import type { EndpointName } from "../../../server/config/paths_config.ts";
import type { Basis, Finding, FindingPlace } from "../../findings/finding.ts";
import type { RowClass, SeenFact } from "../../findings/grade.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { groupBy } from "../../util/lists.ts";

/** Everything that a lab recorded. */
export interface LabHistory {
  exchanges: readonly Exchange[];
  flows: () => readonly FlowTrace[];
  /** How many requests of clients there were, those that are forgotten included. */
  requests: number;
  /** The lab itself, and each of its tenants. The rules are about what a client did at one. */
  servers: readonly ServerHistory[];
}

/** What went over the wire at one server. */
export interface ServerHistory {
  /** The name of the tenant; undefined for the lab itself. */
  tenant: string | undefined;
  issuer: string;
  exchanges: readonly Exchange[];
  /** Returns the flows that began at the server. Few rules need them. */
  flows: () => readonly FlowTrace[];
  /** Everything that the lab recorded: a flow may go on at another server. */
  recorded: readonly Exchange[];
  /** What is not part of the protocol: requests to the MCP server, for example. */
  beside: readonly Exchange[];
  /** The time of the server's clock, in milliseconds. */
  now: number;
  /** How long a code can be redeemed, in milliseconds. */
  codeLifetime: number;
  /** Whether all clients may leave out PKCE and a nonce, as those of most providers may. */
  needsNoPkce: boolean;
}

export interface ReportCheck extends Pick<Finding, "id" | "title">, Basis, RowClass {
  fix: string;
  /** Finds where clients broke the rule at a server. */
  find(history: ServerHistory): Evidence[];
}

/** What a client did, and where. */
export interface Evidence extends Omit<FindingPlace, "tenant" | "flow"> {
  received: string;
  exchanges: readonly number[];
  /** What was seen that decides how bad it is. */
  facts?: readonly SeenFact[];
}

/** One or more exchanges, the oldest first. */
export type FirstAndLater = readonly [first: Exchange, ...later: Exchange[]];

/** Returns evidence from one or more exchanges of a client. */
export function evidence(exchanges: FirstAndLater, received: string, parameter?: string): Evidence {
  const [{ request }] = exchanges;
  return {
    client: request.client,
    received,
    request: `${request.method} ${request.path}`,
    ...parameter !== undefined && { parameter },
    exchanges: exchanges.map(({ id }) => id),
  };
}

export function exchangesAt(history: ServerHistory, endpoint: EndpointName): Exchange[] {
  return history.exchanges.filter(({ request }) => request.endpoint === endpoint);
}

/** Returns the token responses of a server, by the access tokens that they have. */
export function responsesByToken(history: ServerHistory): Map<unknown, Exchange> {
  return new Map(
    exchangesAt(history, "token").map((issuing) => [membersOf(issuing).access_token, issuing]),
  );
}

/** Returns the requests that refresh tokens. */
export function refreshesIn(history: ServerHistory): Exchange[] {
  return exchangesAt(history, "token")
    .filter(({ request }) => request.form.get("grant_type") === "refresh_token");
}

/**
 * Returns the members of a response in JSON. A broken connection has none, even with status 200.
 */
export function membersOf({ response }: Exchange): Record<string, unknown> {
  return response && jsonOf(response) || {};
}

/** Groups items by a key, and returns the groups of two or more. */
export function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Array<[first: T, ...later: T[]]> {
  return groupBy(items, (item) => keyOf(item) || undefined).filter((group) => group.length > 1);
}
