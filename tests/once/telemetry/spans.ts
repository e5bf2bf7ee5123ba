import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import type { ServerEventListener } from "../../../src/server/mod.ts";

const tracer = trace.getTracer("hallpass");

/** Makes a span of each request: in the trace of a trusted proxy, or in one of its own. */
export const onEvent: ServerEventListener = (event, request) => {
  if (event.type !== "request.handled" || !request) return;
  const { traceId, parentId: spanId, flags: traceFlags } = request.trace;
  const parent = spanId === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  const span = tracer.startSpan(`${event.method} ${event.path}`, {
    kind: SpanKind.SERVER,
    startTime: request.startedAt,
    attributes: {
      "http.response.status_code": event.status,
      "client.address": request.address,
      "hallpass.request": request.id, // as in the log
      "hallpass.client": request.client,
    },
  }, parent);
  span.end(request.startedAt + request.duration);
};
