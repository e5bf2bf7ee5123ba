import type { Exchange } from "./exchange.ts";
import type { LabEvents } from "./lab_event.ts";
import { refusalOf } from "./refusal.ts";
import type { FlowTrace } from "./timeline.ts";

/** Emits the event of an exchange that was recorded. */
export function announceExchange(
  events: LabEvents,
  exchange: Exchange,
  flow: FlowTrace | undefined,
): void {
  const { id, request: { method, path, client }, response, tenant } = exchange;
  const step = flow?.steps.findLast(({ exchange }) => exchange === id);
  const refusal = refusalOf(exchange);
  events.emitLabEvent({
    type: "exchange.recorded",
    exchange: id,
    ...tenant !== undefined && { tenant },
    flow: flow?.id,
    method,
    path,
    client,
    status: response?.status,
    error: step?.error ?? refusal?.error,
    reason: refusal?.description,
    hint: refusal?.hint,
    fix: refusal?.fix,
    rule: refusal?.rule,
  });
}
