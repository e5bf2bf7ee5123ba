import { day, hour, minute } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { exchangesWithoutFlow } from "../../flows/describe_flow.ts";
import { flowOutcome, flowUser, isInterimError } from "../../flows/flow_outcome.ts";
import { type FlowOutcome, shortenPath } from "../../flows/flow_story.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { explainRefusal, refusalOf } from "../../recording/refusal.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { groupBy } from "../../util/lists.ts";
import type { Choice } from "../parts/fields.tsx";
import { hasWords } from "../parts/long_list.tsx";

/** Clients choose their names; a list of choices has an end. */
const maxChoices = 100;

/** So many flows that cannot be told apart become one row. */
const minAlike = 3;

/** The times that the list of flows can be limited to, with their length in seconds. */
const spans: Readonly<Record<string, readonly [label: string, length: number]>> = {
  "5m": ["last 5 minutes", 5 * minute],
  "1h": ["last hour", hour],
  "1d": ["last day", day],
};

/** The times to choose from. */
export const spanChoices: readonly Choice[] = Object.entries(spans)
  .map(([value, [label]]) => [value, label]);

export interface ListedFlow {
  id: string;
  client: string | undefined;
  user: string | undefined;
  startedAt: number;
  endedAt: number;
  outcome: FlowOutcome;
  drill: number | undefined;
  /** The method and the path of its last request. */
  request: string;
  /** How many requests were refused that the outcome does not show. */
  refusals: number;
  /** The faults that changed its responses. */
  faults: readonly string[];
}

/** The flows and requests that a filter leaves, the newest first, and what can be chosen. */
export type FlowLists = ReturnType<typeof filterFlows>;

/** Returns the flows and the other requests that the parameters of a page ask for. */
export function filterFlows(lab: CoreLab, query: URLSearchParams) {
  const exchanges = lab.exchanges();
  const flows = lab.flows();
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const sentIn = ({ steps }: FlowTrace) =>
    steps.flatMap(({ exchange }) => byId.get(exchange) ?? []);
  const [, seconds = Infinity] = Object.entries(spans)
    .find(([name]) => name === query.get("since"))?.[1] ?? [];
  const begin = lab.clock.now() - 1000 * seconds;
  const isRecent = ({ at }: Exchange) => at >= begin;
  const matching = flows
    .filter((flow) => hasClient(nameOfClient(flow), query))
    .map((flow) => ({ flow, own: sentIn(flow) }))
    .filter(({ own }) => own.some(isRecent) && own.some((each) => hasKind(each, query)))
    .map(({ flow, own }) => listedFlow(flow, own))
    .filter((flow) => hasFaults(flow, query) && hasWords(textOfFlow(flow), query.get("q")));
  const others = exchangesWithoutFlow(flows, exchanges).filter((exchange) =>
    hasClient(clientOf(exchange), query) && isRecent(exchange) && hasKind(exchange, query) &&
    hasWords(textOfExchange(exchange), query.get("q"))
  );
  const like = matching.find(({ id }) => id === query.get("like"));
  const shown = matching.filter((each) => !like || likenessOf(each) === likenessOf(like)).reverse();
  const isOfGroup = ({ drill }: Exchange) => !query.has("like") || drill === shown[0]?.drill;
  return {
    flows: shown,
    /** How many flows there are without the filter. */
    allFlows: flows.length,
    /** The requests that belong to no flow. */
    others: others.filter(isOfGroup).reverse(),
    clients: choicesOf([...flows.map(nameOfClient), ...exchanges.map(clientOf)]),
    endpoints: choicesOf(exchanges.map(({ request }) => request.endpoint)),
  };
}

/**
 * Returns flows in groups: those of one drill are one, and those that failed or stopped in the same
 * way, at the place of its newest flow. Others are alone, and so is each flow where the reader
 * asked for those of one group.
 */
export function groupFlows(flows: readonly ListedFlow[], query: URLSearchParams): ListedFlow[][] {
  if (query.has("like")) return flows.map((flow) => [flow]);
  const groups = groupBy(flows, likenessOf).filter(({ length }) => length >= minAlike);
  const groupOf = new Map(groups.flatMap((group) => group.map((flow) => [flow, group] as const)));
  return flows.flatMap((flow) => {
    const group = groupOf.get(flow) ?? [flow];
    return group[0] === flow ? [group] : [];
  });
}

/**
 * Returns other requests in groups: those of one drill are one, unless the reader asked for them.
 */
export function groupOthers(others: readonly Exchange[], query: URLSearchParams) {
  return groupBy(
    others,
    ({ id, drill }) => query.has("like") || !drill ? `${id}` : `drill ${drill}`,
  );
}

/**
 * Returns a text that flows share if no reader can tell them apart. One that ended well has its
 * own.
 */
function likenessOf({ id, client, user, outcome, faults, drill }: ListedFlow): string {
  if (drill !== undefined) return `drill ${drill}`;
  if (outcome.kind === "good") return id;
  const { description, received, expected } = outcome.refusal ?? {};
  return JSON.stringify([client, user, outcome.title, description, received, expected, faults]);
}

function listedFlow(flow: FlowTrace, own: readonly Exchange[]): ListedFlow {
  const { id, steps } = flow;
  const outcome = flowOutcome(own);
  const refused = own.filter(isRefused).length;
  const { method = "", path = "" } = own.at(-1)?.request ?? {};
  return {
    id,
    client: nameOfClient(flow),
    user: flowUser(own),
    startedAt: steps[0]?.at ?? 0,
    endedAt: steps.at(-1)?.at ?? 0,
    outcome,
    drill: own[0]?.drill,
    request: `${method} ${shortenPath(path)}`,
    refusals: outcome.refusal ? refused - 1 : refused,
    faults: [...new Set(own.flatMap(({ faults }) => faults))],
  };
}

/** Returns the name of the client of a request, with that of its tenant. */
function clientOf({ request: { client }, tenant }: Exchange): string | undefined {
  return client && nameOfClient({ client, tenant });
}

/** Whether a request was refused, and not only put off. */
function isRefused(exchange: Exchange): boolean {
  const refusal = refusalOf(exchange);
  return refusal !== undefined && !isInterimError(refusal.error);
}

function hasClient(client: string | undefined, query: URLSearchParams): boolean {
  const asked = query.get("client");
  return !asked || client === asked;
}

/** Returns whether one request is of the endpoint, and refused, if the filter asks for that. */
function hasKind(exchange: Exchange, query: URLSearchParams): boolean {
  const endpoint = query.get("endpoint");
  if (endpoint && exchange.request.endpoint !== endpoint) return false;
  return !query.has("refused") || refusalOf(exchange) !== undefined;
}

/** Leaves out what faults changed, such as the logins of a drill, or keeps nothing else. */
function hasFaults({ faults }: ListedFlow, query: URLSearchParams): boolean {
  const asked = query.get("faults");
  return !asked || (asked === "only") === (faults.length > 0);
}

function textOfFlow({ id, client, user, outcome, faults }: ListedFlow): string {
  const refusal = explainRefusal(outcome.refusal ?? {});
  return [id, client, user, outcome.title, ...refusal, ...faults].filter(Boolean).join(" ");
}

function textOfExchange({ request, ...exchange }: Exchange): string {
  const refusal = explainRefusal(refusalOf(exchange) ?? {});
  return [request.method, request.path, request.client, ...refusal].filter(Boolean).join(" ");
}

function choicesOf(values: ReadonlyArray<string | undefined>): Choice[] {
  const known = values.filter((value) => value !== undefined);
  return [...new Set(known)].sort().slice(0, maxChoices).map((value) => [value, value]);
}
