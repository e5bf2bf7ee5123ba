import { type Finding, isViolation } from "../../findings/finding.ts";
import { type Exchange, tokenOf } from "../../recording/exchange.ts";
import { refusalEventOf } from "../../recording/refusal.ts";
import type { TenantClient } from "../../recording/tenant_client.ts";
import { groupBy } from "../../util/lists.ts";
import { isOfNoEndpoint, maxNameLength, type RefusedRequest } from "./refused_requests.ts";

/** How one client did. What it accepts, only a drill shows, so only a drill gives a grade. */
export interface ReportedClient {
  /** The id of the client. */
  client: string;
  /** The tenant or provider that it talked to, if that was not the lab itself: `"google"`. */
  tenant?: string | undefined;
  /**
   * Whether it has shown enough: it got a token, used one at the introspection or revocation
   * endpoint, was refused, or broke a rule.
   */
  examined: boolean;
  /** How many requests named the client. */
  requests: number;
  /** How many rules it broke. All findings of one rule count as one. */
  violations: number;
  /**
   * How many of its requests are refused, and have not worked since. The first refusal of a token
   * that worked before does not count: it may have ended.
   */
  refused: number;
  /** How many pieces of advice it could follow. */
  advice: number;
}

/** Returns each client that a request named, in the order in which they came. */
export function reportClients({ exchanges, findings, refused }: {
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
  refused: readonly RefusedRequest[];
}): ReportedClient[] {
  const named = exchanges.filter((each) => each.request.client && !isOfNoEndpoint(each));
  const clients = groupBy(named, ({ request, tenant }) => keyOf({ ...request, tenant }));
  const findingsOf = byClient(findings);
  const refusedOf = byClient(refused);
  const learned = firstOfEndedTokens(refused.length > 0 ? exchanges : []);
  const isLearned = ({ id, where }: RefusedRequest) =>
    id === "token.active" && where.exchanges?.some((each) => learned.has(each));
  return clients.map((requests) => {
    const [{ request: { client = "" }, tenant }] = requests;
    const named = { client, ...tenant !== undefined && { tenant } };
    const own = findingsOf.get(keyOf(named)) ?? [];
    const counts = {
      violations: countRules(own.filter(isViolation)),
      refused: refusedOf.get(keyOf(named))
        ?.filter((each) => !each.resolved && !isLearned(each)).length ?? 0,
      advice: countRules(own.filter((each) => !isViolation(each))),
    };
    const examined = counts.violations > 0 || counts.refused > 0 || requests.some(provesClient);
    return { ...named, examined, requests: requests.length, ...counts };
  });
}

/** Describes in a few words what a client sent. */
export function describeSent({ examined, violations, refused, advice }: ReportedClient): string {
  if (violations > 0) return "Needs work";
  if (refused > 0) return "Is refused";
  if (!examined) return "No complete login yet";
  return advice > 0 ? "Sent nothing wrong, with advice" : "Sent nothing wrong";
}

/** Names a client in a map, by as much of its name as can be hashed. */
function keyOf({ client = "", tenant }: TenantClient): string {
  return JSON.stringify([client.slice(0, maxNameLength), tenant]);
}

function byClient<T extends Finding>(items: readonly T[]): Map<string, T[]> {
  const keyed = ({ where }: T) => keyOf(where);
  return new Map(groupBy(items, keyed).map((group) => [keyed(group[0]), group]));
}

/** Whether a request shows that its client works: it got a token, or uses what it was issued. */
function provesClient(exchange: Exchange): boolean {
  const { request: { endpoint = "" }, response } = exchange;
  const isBackChannel = ["token", "introspect", "revoke"].includes(endpoint);
  // Some providers send errors with the status 200.
  return isBackChannel && response?.status === 200 && !refusalEventOf(exchange);
}

/** Returns the requests by which clients learned that a token has ended: it had worked before. */
function firstOfEndedTokens(exchanges: readonly Exchange[]): Set<number> {
  const uses = new Map<string, "worked" | "refused">();
  const found = exchanges.filter((each) => {
    const token = tokenOf(each.request);
    if (token === undefined) return false;
    const before = uses.get(token);
    const isRefused = refusalEventOf(each) !== undefined;
    uses.set(token, isRefused || before === "refused" ? "refused" : "worked");
    return isRefused && before === "worked";
  });
  return new Set(found.map(({ id }) => id));
}

function countRules(findings: readonly Finding[]): number {
  return new Set(findings.map(({ id }) => id)).size;
}
