import { assert, assertEquals } from "@std/assert";

/** What a member of a message must be in OTLP's form of JSON. */
type Check = RegExp | "text" | "number" | "flag" | Fields | [Check];

interface Fields {
  [name: string]: Check;
}

const integer = /^\d+$/;
const attributes: [Check] = [{ key: "text", value: { stringValue: "text", intValue: integer } }];
const point = { attributes, startTimeUnixNano: integer, timeUnixNano: integer };
const numbers = { dataPoints: [{ ...point, asDouble: "number" }] as [Check] };
const scope = { name: "text", version: "text" } as const;

/** The messages of opentelemetry-proto 1.x that a server sends, with the members that it may set. */
const messages: Readonly<Record<string, Fields>> = {
  "/v1/traces": {
    resourceSpans: [{
      resource: { attributes },
      scopeSpans: [{
        scope,
        spans: [{
          traceId: /^[\da-f]{32}$/,
          spanId: /^[\da-f]{16}$/,
          parentSpanId: /^[\da-f]{16}$/,
          name: "text",
          kind: "number",
          startTimeUnixNano: integer,
          endTimeUnixNano: integer,
          attributes,
          status: { code: "number" },
        }],
      }],
    }],
  },
  "/v1/metrics": {
    resourceMetrics: [{
      resource: { attributes },
      scopeMetrics: [{
        scope,
        metrics: [{
          name: "text",
          description: "text",
          unit: "text",
          gauge: numbers,
          sum: { ...numbers, aggregationTemporality: "number", isMonotonic: "flag" },
          histogram: {
            dataPoints: [{
              ...point,
              count: integer,
              sum: "number",
              bucketCounts: [integer],
              explicitBounds: ["number"],
            }],
            aggregationTemporality: "number",
          },
        }],
      }],
    }],
  },
};

/** A span as a receiver reads it. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string>;
  status: { code?: number };
}

/** Reads messages as a collector does, and refuses what its format does not have. */
export function createReceiver() {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, { [kind: string]: { dataPoints: Point[] } }>();
  return {
    spans,
    metrics,
    receive(path: string, body: string): void {
      const message = JSON.parse(body);
      check(messages[path], message, path);
      for (const { scopeSpans: [{ spans: received }] } of message.resourceSpans ?? []) {
        spans.push(...received.map((span: { attributes: Attribute[] }) => ({
          ...span,
          attributes: valuesOf(span.attributes),
        })));
      }
      for (const { scopeMetrics: [{ metrics: received }] } of message.resourceMetrics ?? []) {
        for (const metric of received) metrics.set(metric.name, metric);
      }
    },
  };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

interface Point {
  attributes: Attribute[];
  asDouble?: number;
  count?: string;
}

export function valuesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => {
    assertEquals(Object.keys(value).length, 1, `${key} has one value`);
    return [key, value.stringValue ?? value.intValue ?? ""];
  }));
}

function check(expected: Check | undefined, value: unknown, path: string): void {
  assert(expected !== undefined, `The format has no ${path}`);
  if (expected instanceof RegExp) {
    assert(expected.test(String(value)) && typeof value === "string", path);
  } else if (expected === "text") assertEquals(typeof value, "string", path);
  else if (expected === "number") assert(Number.isFinite(value), path);
  else if (expected === "flag") assertEquals(typeof value, "boolean", path);
  else if (Array.isArray(expected)) {
    assert(Array.isArray(value), path);
    value.forEach((entry, at) => check(expected[0], entry, `${path}[${at}]`));
  } else {
    for (const [name, member] of Object.entries(value as object)) {
      check(expected[name], member, `${path}.${name}`);
    }
  }
}
