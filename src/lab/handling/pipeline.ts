import { createChooserLayer } from "../layers/choosers.ts";
import {
  askServer,
  type Layer,
  type Nest,
  type Pipeline,
  type RequestLayers,
  respondAsLab,
} from "../layers/layer.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import { droppedResponse } from "../recording/exchange.ts";
import { identifyRequest } from "../recording/presented_values.ts";
import type { Recorder } from "../recording/recorder.ts";
import { refusalEventOf } from "../recording/refusal.ts";
import { createKnownUserLayer } from "../sign_in/answer_for_user.ts";
import type { LabParts, RecordedParts } from "./lab_parts.ts";

/** The statuses of a wrong path and of a wrong method. */
const statusesWithoutPage = [404, 405];

/**
 * Creates what responds to requests. The layers of each kind of request take part in it, from the
 * client to the server: the first gets the request first, and the response last. Within a stage,
 * they are in the order of the list.
 */
export function createPipeline(
  parts: LabParts,
  layers: readonly RequestLayers[],
  nest: Nest,
): Pipeline {
  const at = (stage: "show" | "admit" | "misbehave" | "change" | "permit" | "translate") =>
    layers.flatMap((each) => each[stage] ?? []);
  const record = createRecordLayer(parts);
  const knownUsers = createKnownUserLayer(parts.handsFree, parts.server.unknownUsers);
  const choosers = createChooserLayer(layers);

  const protocol = nest([
    ...at("show"),
    // Before the record, which asks the server that knows the client.
    ...at("admit"),
    // The record has what the client got, faults included.
    record,
    // A fault breaks the response that the client would get, and nothing repairs it.
    ...at("misbehave"),
    // What responds instead of the server does so before a credential exists. Such a layer also
    // shapes what a leniency adds to a response.
    ...at("change"),
    ...at("permit"),
    knownUsers,
    // Who gets a value is decided by the request as the client sent it.
    choosers,
    // The server never sees the words of another provider.
    ...at("translate"),
    askServer,
  ]);
  const lab = nest([record, ...at("misbehave"), respondAsLab]);
  const unchanged = nest([record, askServer]);
  const ways = { protocol, lab, route: unchanged, page: unchanged };
  const identifying = layers.filter(({ identify }) => identify !== undefined);
  return async (exchange) => {
    for (const { identify } of identifying) {
      const identified = identify?.(exchange);
      if (identified) await identified;
    }
    // A test may have changed its settings while the parts looked at the request.
    exchange.server = parts.server.current();
    return await ways[exchange.kind](exchange);
  };
}

/**
 * Creates the layer that records requests with the responses that clients get. Of pages, it records
 * only 404 and 405: the developer of a client with a wrong path asks why it was refused.
 */
function createRecordLayer({ clock, recorder, record }: RecordedParts): Layer {
  return async (exchange, next) => {
    const { request, server, learned, kind, labels, startMark, fired } = exchange;
    // Pages that exist leave no mark, so that a browser does not change the links of a seeded lab.
    if (kind !== "page") startMark();
    const began = clock.now();
    const { abortMark, stop } = watchAbort(exchange, recorder);
    const response = await next();
    stop();
    if (kind === "page" && !statusesWithoutPage.includes(response.status)) return response;
    // A client that closed the connection has no response, and may send the request again.
    const isReceived = response !== droppedResponse && abortMark() === undefined;
    const at = clock.now();
    const isOfClient = kind === "protocol" || kind === "lab";
    const isUnknown = isOfClient && Object.keys(learned.concerns).length === 0;
    const concerns = isUnknown ? await identifyRequest(server.context, request) : learned.concerns;
    // What a part of the lab refuses is a mistake of the client, too.
    const isOther = kind === "lab" && !refusalEventOf(learned);
    if (kind === "route" || isOther) labels.isBesideProtocol = true;
    const { events, rules, chosen } = learned;
    const made = isReceived ? response : undefined;
    const facts = { began, at, request, response: made, faults: fired, events, rules, chosen };
    const observed = Object.assign(facts, { concerns }, labels);
    exchange.recorded = record.add(observed, startMark(), abortMark());
    return response;
  };
}

/** Watches for the client to close the connection, and remembers the mark at which it did. */
function watchAbort({ serverRequest, kind }: PendingExchange, recorder: Recorder) {
  let mark: number | undefined;
  const onAbort = () => void (mark = recorder.mark());
  const signal = kind === "protocol" ? serverRequest.signal() : undefined;
  signal?.addEventListener("abort", onAbort);
  return {
    abortMark: () => mark,
    // A test may send the same request many times.
    stop: () => signal?.removeEventListener("abort", onAbort),
  };
}
