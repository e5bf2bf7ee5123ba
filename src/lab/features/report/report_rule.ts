import type { EndpointName } from "../../../server/config/paths_config.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { TenantClient } from "../../recording/tenant_client.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { groupBy } from "../../util/group_by.ts";

/** Everything that a lab recorded. */
export interface LabHistory {
  exchanges: readonly Exchange[];
  flows: readonly FlowTrace[];
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
  /** The flows that began at the server. */
  flows: readonly FlowTrace[];
  /** Everything that the lab recorded: a flow may go on at another server. */
  recorded: readonly Exchange[];
  /** What something beside the protocol responded to, such as the MCP server. */
  beside: readonly Exchange[];
  /** The time of the server's clock, in milliseconds. */
  now: number;
  /** How long a code can be redeemed, in milliseconds. */
  codeLifetime: number;
}

/** A rule for clients. */
export interface ReportRule extends Omit<ReportFinding, keyof Evidence | "tenant"> {
  /** Finds where clients broke the rule at a server. */
  find(history: ServerHistory): Evidence[];
}

/** Where a client broke a rule. */
export interface Evidence {
  /** The client, if the request names one. */
  client?: string | undefined;
  /** What the client did, without secrets. */
  seen: string;
  /** The parameter or header that shows it; it may be missing. */
  parameter?: string | undefined;
  /** The ids of the recorded requests that show it. */
  exchanges: number[];
}

/** A rule that a client broke, or advice that it could follow. */
export interface ReportFinding extends Evidence, TenantClient {
  /** The id of the rule: `"state-reused"`. */
  id: string;
  /** A violation breaks a rule; advice makes a client better. */
  kind: "violation" | "advice";
  /** The rule, in one sentence. */
  says: string;
  /** What to do about it, in one sentence. */
  fix: string;
  /** The section of the specification: `"RFC 9700, section 4.7.1"`. */
  see: string;
}

/** One or more exchanges, the oldest first. */
export type FirstAndLater = readonly [first: Exchange, ...later: Exchange[]];

/** Returns evidence from one or more exchanges of a client. */
export function evidence(exchanges: FirstAndLater, seen: string, parameter?: string): Evidence {
  const [{ request }] = exchanges;
  return {
    client: request.client,
    seen: `${request.method} ${request.path}: ${seen}`,
    ...parameter !== undefined && { parameter },
    exchanges: exchanges.map(({ id }) => id),
  };
}

/** Returns the exchanges with one endpoint. */
export function exchangesAt(history: ServerHistory, endpoint: EndpointName): Exchange[] {
  return history.exchanges.filter(({ request }) => request.endpoint === endpoint);
}

/** Groups items by a key, and returns the groups of two or more. */
export function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Array<[first: T, ...later: T[]]> {
  return groupBy(items.filter(keyOf), (item) => keyOf(item) ?? "")
    .filter((group) => group.length > 1);
}
