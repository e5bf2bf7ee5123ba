import type { Finding } from "../../findings/finding.ts";
import { type Exchange, headerOf } from "../../recording/exchange.ts";
import { type Refusal, refusalEventOf, refusalOf } from "../../recording/refusal.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import type { LabHistory } from "./report_check.ts";

/**
 * Errors that a client without any mistake gets as well: because of the user, the time, the server,
 * or a step of the protocol.
 */
const errorsWithoutMistake: readonly string[] = [
  "access_denied",
  "account_selection_required",
  "interaction_required",
  "authorization_pending",
  "consent_required",
  "expired_token",
  "insufficient_user_authentication",
  "login_required",
  "server_error",
  "temporarily_unavailable",
  "unmet_authentication_requirements",
  "use_dpop_nonce",
];

/**
 * Longer names are those of no client or grant. V8 hashes texts of more than 16,383 characters by
 * their length alone, so a map of many such names would compare each with all others.
 */
export const maxNameLength = 255;

/** A request of a client that the server refused. Its id is that of the rule, or else the error. */
export interface RefusedRequest extends Finding {
  /** The error code. */
  error: string;
  /** The endpoint that the request went to: `"token"`. */
  endpoint?: string | undefined;
  /** Whether the client passed the same rule later, at the same endpoint and grant. */
  resolved: boolean;
  /** The names of the faults in its flow that came before the refusal, or changed it. */
  faults: string[];
}

export type Reported = Finding & Partial<Pick<RefusedRequest, "error" | "resolved" | "faults">>;

/** Lists the requests that the server refused because of a mistake of a client. */
export function findRefusedRequests({ exchanges, flows }: LabHistory): RefusedRequest[] {
  const mistakes = exchanges.flatMap((exchange) => {
    const refusal = refusalOf(exchange);
    return refusal && isMistake(exchange, refusal) ? [{ exchange, refusal }] : [];
  });
  if (mistakes.length === 0) return [];
  const flowOf = flowsByExchange(flows());
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const clientOf = (exchange: Exchange) =>
    isOfNoEndpoint(exchange)
      ? undefined
      : exchange.request.client ?? flowOf.get(exchange.id)?.client;
  const broken = new Set(mistakes.map(({ refusal }) => refusal.rule));
  const passed = lastPassedRules(exchanges, broken, clientOf);
  return mistakes.map(({ exchange, refusal }) => {
    const { id, request: { method, path, endpoint }, tenant } = exchange;
    const { error, rule, description, received, expected, fix, see, parameter } = refusal;
    const client = clientOf(exchange);
    const flow = flowOf.get(id);
    return {
      id: rule ?? error,
      title: `${error}: ${description}`,
      kind: "interoperability",
      received,
      expected,
      fix,
      see,
      where: {
        client,
        ...tenant !== undefined && { tenant },
        request: `${method} ${path}`,
        parameter,
        flow: flow?.id,
        exchanges: [id],
      },
      error,
      endpoint,
      resolved: (passed.get(placeOf(exchange, client, rule)) ?? 0) > id,
      faults: faultsUntil(exchange, flow, byId),
    };
  });
}

/** Returns the flow of each recorded request, by the id of the request. */
export function flowsByExchange(flows: readonly FlowTrace[]): Map<number, FlowTrace> {
  return new Map(flows.flatMap((flow) => flow.steps.map(({ exchange }) => [exchange, flow])));
}

/** A mistyped URL in the address bar says nothing about the client that it names. */
export function isOfNoEndpoint({ request, response }: Exchange): boolean {
  return request.method === "GET" && request.endpoint === undefined && response?.status === 404;
}

function isMistake({ request, response }: Exchange, { error }: Refusal): boolean {
  if (errorsWithoutMistake.includes(error)) return false;
  // Clients look for metadata at several paths, which need not exist.
  if (error === "not_found" && request.path.startsWith("/.well-known/")) return false;
  if (request.endpoint !== "interaction") return true;
  // A page that has expired concerns the user; an error that is sent on concerns the client.
  return response !== undefined && headerOf(response, "Location") !== undefined;
}

/**
 * Returns the id of the last request of each client that passed one of the rules that were broken,
 * at each endpoint and grant; where no rule is named, of the last one that was accepted.
 */
function lastPassedRules(
  exchanges: readonly Exchange[],
  broken: ReadonlySet<string | undefined>,
  clientOf: (exchange: Exchange) => string | undefined,
): Map<string, number> {
  return new Map(exchanges.flatMap((exchange) => {
    const passed = exchange.rules.filter((applied) => applied.passed).map(({ rule }) => rule.id);
    const isAccepted = exchange.response !== undefined && !refusalEventOf(exchange);
    return [...passed, ...isAccepted ? [undefined] : []].filter((rule) => broken.has(rule))
      .map((rule) => [placeOf(exchange, clientOf(exchange), rule), exchange.id] as const);
  }));
}

function placeOf(
  { request, tenant }: Exchange,
  client: string | undefined,
  rule: string | undefined,
): string {
  const { endpoint, path, form } = request;
  const names = [endpoint ?? path, client, tenant, form.get("grant_type"), rule];
  return JSON.stringify(names.map((name) => name?.slice(0, maxNameLength)));
}

/** Returns the faults that changed a response of the flow, up to that of the given request. */
export function faultsUntil(
  { id, faults }: Exchange,
  flow: FlowTrace | undefined,
  byId: ReadonlyMap<number, Exchange>,
): string[] {
  const earlier = (flow?.steps ?? [])
    .filter(({ exchange }) => exchange < id)
    .flatMap(({ exchange }) => byId.get(exchange)?.faults ?? []);
  // Added claims refuse nothing.
  return [...new Set([...earlier, ...faults])].filter((name) => name !== "token.claims");
}
