import { announceExchange } from "./announce_exchange.ts";
import type { Exchange } from "./exchange.ts";
import type { LabEvents } from "./lab_event.ts";
import { createRecorder, type NewExchange, type Recorder } from "./recorder.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** What a lab records: its own requests, and those of its tenants under their names. */
export interface LabRecord {
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  /** Returns the next number of a request, which it has in each record that contains it. */
  readonly nextId: () => number;
  /** Records a request to the lab, here and in the record around this one. */
  add(exchange: NewExchange, startMark: number, endMark?: number): Exchange;
  /** Records a request to a tenant. */
  include(exchange: Exchange): void;
}

/** The record of the lab around a tenant, and the name of the tenant there. */
export interface RecordAround {
  record: LabRecord;
  tenant: string;
}

/** Creates the record of a lab. What a tenant forgets, the lab around it forgets as well. */
export function createLabRecord(
  issuer: string,
  events: LabEvents,
  around?: RecordAround,
): LabRecord {
  let count = 0;
  const nextId = around?.record.nextId ?? (() => ++count);
  const recorder = createRecorder(nextId);
  const timeline = createTimeline(issuer);
  const nameAround = (tenant?: string) => [around?.tenant, tenant].filter(Boolean).join("/");

  function observe(exchange: Exchange): void {
    announceExchange(events, exchange, timeline.observe(exchange));
    around?.record.include({ ...exchange, tenant: nameAround(exchange.tenant) });
  }

  function clearing<Part extends { clear(tenant?: string): void }>(
    part: Part,
    partAround: Part | undefined,
  ): Part {
    const clear = (tenant?: string) => {
      part.clear(tenant);
      partAround?.clear(nameAround(tenant));
    };
    return { ...part, clear };
  }

  return {
    recorder: clearing(recorder, around?.record.recorder),
    timeline: clearing(timeline, around?.record.timeline),
    nextId,
    add(observed, startMark, endMark) {
      const exchange = recorder.record(observed, startMark, endMark);
      observe(exchange);
      return exchange;
    },
    include(exchange) {
      recorder.include(exchange);
      observe(exchange);
    },
  };
}
