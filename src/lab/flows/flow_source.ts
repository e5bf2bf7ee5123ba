import { OAuthError } from "../../server/protocol/oauth_error.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import { exchangesOfFlow } from "./describe_flow.ts";

/** What can be shown as a flow: a flow, or a single request that belongs to none. */
export interface FlowSource extends Pick<FlowTrace, "id" | "client" | "tenant"> {
  exchanges: readonly Exchange[];
  /** The exchange that the id in the path names, if it names one. */
  named?: number | undefined;
}

/** How a single request is called in place of a flow: "request-12". */
const requestId = /^request-(\d+)$/;
/** How an exchange is called before it has its number: by the mark of its start. */
const markId = /^at-(\d+)$/;

export interface RecordedLab {
  flows(): FlowTrace[];
  /** Everything recorded, the newest last. */
  exchanges(): readonly Exchange[];
}

/** Finds a flow, or a request that belongs to none, by the id in the path of its page. */
export function requireFlowSource(lab: RecordedLab, id: string): FlowSource {
  const exchange = exchangeNamed(lab, id);
  const flow = lab.flows().find((each) => exchange ? hasStep(each, exchange.id) : each.id === id);
  if (flow) {
    const { client, tenant } = flow;
    const exchanges = exchangesOfFlow(flow, lab.exchanges());
    if (exchanges.length === 0) throw forgotten(id);
    return { id: flow.id, client, tenant, exchanges, named: exchange?.id };
  }
  if (!exchange) {
    throw new OAuthError("not_found", `There is no flow '${id}', or it was deleted.`);
  }
  // A request that belongs to no flow is shown as a flow with one request.
  const { request: { client }, tenant } = exchange;
  return { id: `request-${exchange.id}`, client, tenant, exchanges: [exchange] };
}

function forgotten(id: string): OAuthError {
  const limit = "the lab keeps the newest 2,000 requests";
  return new OAuthError("not_found", `${id} is no longer recorded: ${limit}.`);
}

/** Returns the path below `/lab` of the page that shows an exchange in its flow. */
export function flowPath(lab: RecordedLab, exchangeId: number): string {
  const flow = lab.flows().findLast((each) => hasStep(each, exchangeId));
  return `/flows/${flow?.id ?? `request-${exchangeId}`}?exchange=${exchangeId}`;
}

function exchangeNamed({ exchanges }: RecordedLab, id: string): Exchange | undefined {
  const [, number] = requestId.exec(id) ?? [];
  const [, mark] = markId.exec(id) ?? [];
  if (number !== undefined) return exchanges().find((each) => each.id === Number(number));
  return mark === undefined
    ? undefined
    : exchanges().find(({ span: [start], tenant }) =>
      tenant === undefined && start === Number(mark)
    );
}

function hasStep({ steps }: FlowTrace, exchangeId: number): boolean {
  return steps.some(({ exchange }) => exchange === exchangeId);
}
