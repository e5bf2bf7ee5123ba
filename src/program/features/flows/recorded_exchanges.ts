import type { RecordedExchange } from "../../../lab/recording/lab_event.ts";
import type { RecordedRequest } from "../../../lab/recording/recorded_request.ts";
import type { FlowTrace } from "../../../lab/recording/timeline.ts";

/** A request that was recorded earlier, as the event that announced it. */
export interface EarlierExchange {
  at: Date;
  event: { type: "exchange.recorded" } & RecordedExchange;
}

/** Returns recorded requests as the events that announced them, each with its flow. */
export function earlierExchanges(
  requests: readonly RecordedRequest[],
  flows: readonly FlowTrace[],
): EarlierExchange[] {
  const steps = flows.flatMap(({ id, steps }) => steps.map((step) => ({ ...step, flow: id })));
  const stepOf = new Map(steps.map((step) => [step.exchange, step]));
  return requests.map(({ id, at, method, path, client, tenant, response, refusal }) => ({
    at: new Date(at),
    event: {
      type: "exchange.recorded",
      ...{ exchange: id, method, path, client, tenant, status: response?.status },
      flow: stepOf.get(id)?.flow,
      error: stepOf.get(id)?.error ?? refusal?.error,
      reason: refusal?.description,
      ...{ hint: refusal?.hint, fix: refusal?.fix, rule: refusal?.rule },
    },
  }));
}
