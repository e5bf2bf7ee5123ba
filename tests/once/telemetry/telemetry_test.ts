import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createServer, type EventRequest } from "../../../src/server/mod.ts";
import { linkedFiles } from "../../support/markdown.ts";
import { present } from "../../support/present.ts";
import { withAddress } from "../../support/with_address.ts";
import { onEvent } from "./spans.ts";

const proxy = "10.0.0.1";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);

/** Returns the span of a request from a peer, and what the server knew of the request. */
async function spanFrom(peer: string): Promise<{ span: ReadableSpan; request: EventRequest }> {
  exporter.reset();
  let last: EventRequest | undefined;
  const server = createServer({
    issuer: "https://id.example",
    trustedProxies: [proxy],
    onEvent(event, request) {
      last = request;
      onEvent(event, request);
    },
  });
  const headers = { traceparent: `00-${traceId}-${parentId}-01` };
  const request = new Request("https://id.example/nowhere", { headers });
  await server.fetch(withAddress(request, peer));
  await server.close();
  const [span, ...others] = exporter.getFinishedSpans();
  assertEquals(others.length, 0);
  return { span: present(span), request: present(last) };
}

describe("OpenTelemetry, with the listener of RUNNING.md", () => {
  it("has a span for each request, in the trace of a trusted proxy", async () => {
    const { span, request } = await spanFrom(proxy);
    assertEquals(span.name, "GET unknown");
    assertEquals(span.spanContext().traceId, traceId);
    assertEquals(span.parentSpanContext?.spanId, parentId);
    assertEquals(span.attributes["http.response.status_code"], 404);
    assertEquals(span.attributes["hallpass.request"], request.id);
    const [seconds, nanoseconds] = span.duration;
    assert(seconds * 1000 + nanoseconds / 1e6 <= request.duration + 1);
  });

  it("has a trace of its own for any other peer", async () => {
    const { span } = await spanFrom("192.0.2.1");
    assertNotEquals(span.spanContext().traceId, traceId);
    assertEquals(span.parentSpanContext, undefined);
    assertEquals(span.attributes["client.address"], "192.0.2.1");
  });

  it("is the file to which RUNNING.md leads", () => {
    assert(linkedFiles(".github/RUNNING.md").includes("tests/once/telemetry/spans.ts"));
  });
});
