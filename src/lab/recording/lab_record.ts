import type { OnForget } from "./examination_schedule.ts";
import type { Exchange } from "./exchange.ts";
import type { LabEvent, LabEvents } from "./lab_event.ts";
import { createLateTimeline } from "./late_timeline.ts";
import { createRecorder, type NewExchange } from "./recorder.ts";
import { refusalOf } from "./refusal.ts";
import type { FlowTrace } from "./timeline.ts";

/** What a lab records: its own requests, and those of its tenants under their names. */
export type LabRecord = ReturnType<typeof createLabRecord>;

/** The record of the lab that a tenant belongs to, and the name of the tenant there. */
export interface OuterRecord {
  record: LabRecord;
  tenant: string;
}

export function createLabRecord({ issuer, events, onForget, outer }: {
  issuer: string;
  events: LabEvents;
  /** Called before exchanges are forgotten. */
  onForget: OnForget;
  outer: OuterRecord | undefined;
}) {
  let count = 0;
  const nextId: () => number = outer?.record.nextId ?? (() => ++count);
  const timeline = createLateTimeline(issuer);
  const recorder = createRecorder(nextId, onForget, timeline.catchUp);
  const outerName = (tenant?: string) => [outer?.tenant, tenant].filter(Boolean).join("/");

  function observe(exchange: Exchange): void {
    if (events.isHeard()) announceExchange(events, exchange, timeline.observe(exchange));
    else timeline.observeLater(exchange);
    outer?.record.include({ ...exchange, tenant: outerName(exchange.tenant) });
  }

  return {
    recorder,
    timeline,
    /** Returns the next number of a request, which it has in each record that contains it. */
    nextId,
    /** Records a request to the lab, here and in the outer record. */
    add(observed: NewExchange, startMark: number, endMark?: number): Exchange {
      const exchange = recorder.record(observed, startMark, endMark);
      observe(exchange);
      return exchange;
    },
    /** Records a request to a tenant. */
    include(exchange: Exchange): void {
      recorder.include(exchange);
      observe(exchange);
    },
    /** Forgets everything, or what was of a tenant, here and in the outer record, as at a reset. */
    clear(tenant?: string): void {
      // Comes first: before they are forgotten, features examine exchanges, with their flows.
      recorder.clear(tenant);
      timeline.clear(tenant);
      outer?.record.clear(outerName(tenant));
    },
    /** Forgets exchanges in the same way, but without `onForget`, because they shall not count. */
    discard(tenant?: string): void {
      recorder.discard(tenant);
      outer?.record.discard(outerName(tenant));
    },
  };
}

/** Emits the event of an exchange that was recorded. */
function announceExchange(
  events: LabEvents,
  exchange: Exchange,
  flow: FlowTrace | undefined,
): void {
  const { id, request: { method, path, client }, response, tenant } = exchange;
  const step = flow?.steps.findLast(({ exchange }) => exchange === id);
  const refusal = refusalOf(exchange);
  const event: LabEvent = {
    type: "exchange.recorded",
    exchange: id,
    flow: flow?.id,
    method,
    path,
    client,
    status: response?.status,
    error: step?.error ?? refusal?.error,
    refusal,
  };
  events.emitLabEvent(tenant === undefined ? event : { ...event, tenant });
}
