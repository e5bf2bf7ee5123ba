import type { EventRequest, ServerEvent } from "../../../../server/config/events.ts";
import * as registry from "../../../monitoring/registry.ts";

/** The end of a request, and the request as it was then. */
export interface ExportedRequest {
  event: Extract<ServerEvent, { type: "request.handled" }>;
  request: EventRequest;
}

/** Members of enumerations: SPAN_KIND_SERVER, STATUS_CODE_ERROR, AGGREGATION_TEMPORALITY_CUMULATIVE. */
const [server, failed, cumulative] = [2, 2, 2];

/** Returns a request as a span (opentelemetry-proto, `trace.proto`), in OTLP's form of JSON. */
export function toSpan({ event, request }: ExportedRequest) {
  const { path, status, error } = event;
  const { id, trace, startedAt, duration } = request;
  const method = event.method === "other" ? "_OTHER" : event.method;
  return {
    traceId: trace.traceId,
    spanId: id,
    ...trace.parentId !== undefined && { parentSpanId: trace.parentId },
    name: `${method} ${path}`,
    kind: server,
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(startedAt + duration),
    attributes: toAttributes({
      "http.request.method": method,
      "http.route": path,
      "http.response.status_code": status,
      "client.address": request.address,
      "error.type": error ?? (status >= 500 ? `${status}` : undefined),
      "hallpass.rule": request.brokenRule?.id,
      "hallpass.client": request.client,
      "hallpass.grant_type": request.grantType,
      "hallpass.request": id,
    }),
    status: status >= 500 ? { code: failed } : {},
  };
}

/** Returns a metric (`metrics.proto`). The times are in milliseconds. */
export function toMetric(
  { name, help: description, type, samples }: registry.MeasuredMetric,
  { start, now }: { start: number; now: number },
) {
  const dataPoints = samples.map((sample) => ({
    attributes: toAttributes(sample.labels),
    startTimeUnixNano: toNanoseconds(start),
    timeUnixNano: toNanoseconds(now),
    ..."value" in sample ? { asDouble: sample.value } : toBuckets(sample),
  }));
  if (type === "gauge") return { name, description, gauge: { dataPoints } };
  const data = { dataPoints, aggregationTemporality: cumulative };
  if (type === "histogram") return { name, description, unit: "s", histogram: data };
  return { name, description, sum: { ...data, isMonotonic: true } };
}

export function toAttributes(attributes: Readonly<Record<string, string | number | undefined>>) {
  return Object.entries(attributes).filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: `${value}` } : { stringValue: value },
    }));
}

function toBuckets({ counts, sum }: registry.Buckets) {
  const count = `${counts.reduce((all, each) => all + each, 0)}`;
  return { count, sum, bucketCounts: counts.map(String), explicitBounds: registry.bounds };
}

/** JSON's numbers cannot hold so many nanoseconds, so the protocol has them as text. */
function toNanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;
}
