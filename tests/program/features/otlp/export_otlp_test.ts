import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { exportOtlp } from "../../../../src/program/features/otlp/monitoring/export_otlp.ts";
import type { Monitor } from "../../../../src/program/monitoring/metrics.ts";
import type { EventRequest, ServerEvent } from "../../../../src/server/config/events.ts";
import { createFullServer } from "../../../../src/server/features.ts";
import { itWith } from "../../../support/it_with.ts";
import { present } from "../../../support/present.ts";
import { withAddress } from "../../../support/with_address.ts";
import { createReceiver, valuesOf } from "./otlp_receiver.ts";

const issuer = "https://id.example";
const proxy = "10.0.0.1";
const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team=id",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  OTEL_SERVICE_NAME: "login",
};

/** A server whose spans and metrics go to a receiver, which a test may let fail. */
function openExporting(changes: Record<string, string> = {}) {
  const receiver = createReceiver();
  const sent: Array<{ url: string; headers: Headers; body: string; redirect?: string }> = [];
  const warnings: string[] = [];
  let respond = () => Promise.resolve(new Response("{}"));
  const monitor = present(
    exportOtlp(
      { ...environment, ...changes },
      (message) => void warnings.push(message),
      (input, init) => {
        const { headers, body = "", redirect = "follow" } = init ?? {};
        sent.push({
          url: String(input),
          headers: new Headers(headers),
          body: String(body),
          redirect,
        });
        return respond();
      },
    ),
  );
  const server = createFullServer({ issuer, trustedProxies: [proxy], onEvent: monitor.onEvent });
  monitor.observe(() => server.context);
  return {
    sent,
    warnings,
    monitor,
    failWith: (act: typeof respond) => void (respond = act),
    async request(path: string, init: RequestInit = {}) {
      const response = await server.fetch(
        withAddress(new Request(`${issuer}${path}`, init), proxy),
      );
      await response.body?.cancel();
    },
    /** Ends the export, and returns what the receiver understood. */
    async end() {
      await monitor.end?.();
      for (const { url, body } of sent) receiver.receive(new URL(url).pathname, body);
      return receiver;
    },
    [Symbol.asyncDispose]: async () => await server.close(),
  };
}

const refused = { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token" }) };
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const it = itWith({ exporting: openExporting });

/** Adds requests that were handled, without handling any. */
function addRequests({ onEvent }: Monitor, count: number): void {
  const event: ServerEvent = { type: "request.handled", method: "GET", path: "/x", status: 200 };
  const trace = { traceId, flags: 0 };
  const request: EventRequest = { id: parentId, trace, startedAt: 0, duration: 1, rules: [] };
  for (let at = 0; at < count; at++) onEvent(event, request);
}

describe("exportOtlp (OTLP 1.x over HTTP, in JSON)", () => {
  it.exporting("has a span for each request, with the rule and the error", async (exporting) => {
    await exporting.request("/oauth2/token", refused);
    const { spans: [span] } = await exporting.end();
    assertEquals(span?.name, "POST /oauth2/token");
    assertEquals(span?.attributes["http.response.status_code"], "401");
    assertEquals(span?.attributes["error.type"], "invalid_client");
    assertEquals(span?.attributes["hallpass.rule"], "client.named");
    assertEquals(span?.status, {}, "what a client did wrong is no failure of the server");
    assertEquals(BigInt(span?.endTimeUnixNano ?? 0) >= BigInt(span?.startTimeUnixNano ?? 0), true);
  });

  it.exporting("goes on with the trace of a trusted proxy, if that is sampled", async (exporting) => {
    for (const flags of ["01", "00"]) {
      await exporting.request("/health", {
        headers: { traceparent: `00-${traceId}-${parentId}-${flags}` },
      });
    }
    const { spans } = await exporting.end();
    assertEquals(spans.map((span) => [span.traceId, span.parentSpanId]), [[traceId, parentId]]);
  });

  it.exporting("has the metrics of the metrics port", async (exporting) => {
    await exporting.request("/oauth2/token", refused);
    const { metrics } = await exporting.end();
    const refusals = metrics.get("hallpass_refusals_total")?.sum?.dataPoints ?? [];
    assertEquals(refusals.map(({ attributes, asDouble }) => [valuesOf(attributes), asDouble]), [
      [{ error: "invalid_client", rule: "client.named" }, 1],
    ]);
    const times = metrics.get("hallpass_request_duration_seconds")?.histogram?.dataPoints;
    assertEquals(times?.map(({ count }) => count), ["1"]);
  });

  it.exporting("sends what the environment says, to the paths of OTLP", async (exporting) => {
    await exporting.request("/health");
    await exporting.end();
    assertEquals(exporting.sent.map(({ url }) => url), [
      "http://collector:4318/v1/traces",
      "http://collector:4318/v1/metrics",
    ]);
    for (const { headers, body } of exporting.sent) {
      assertEquals(headers.get("authorization"), "Bearer abc");
      assertEquals(headers.get("x-team"), "id");
      assertEquals(headers.get("content-type"), "application/json");
      assertMatch(body, /"service.name","value":\{"stringValue":"login"/);
      assertMatch(body, /"deployment.environment.name"/);
    }
  });

  it.exporting("sends batches, and leaves out what nobody took in time", async (exporting) => {
    addRequests(exporting.monitor, 3000);
    const { spans } = await exporting.end();
    assertEquals(spans.length, 2048);
    assertEquals(exporting.sent.filter(({ url }) => url.endsWith("/traces")).length, 4);
    assertMatch(exporting.warnings.join(), /^Left out 952 spans, because http:\/\/collector:4318/);
  });

  it.exporting("reports a receiver that fails, and no request fails by it", async (exporting) => {
    exporting.failWith(() => Promise.reject(new TypeError("connection refused")));
    await exporting.request("/health");
    await exporting.end();
    assertEquals(exporting.warnings, [
      "Cannot export to http://collector:4318: connection refused.",
    ]);
  });

  it.exporting("keeps what a receiver may take later, and drops what it refuses", async (exporting) => {
    addRequests(exporting.monitor, 1);
    exporting.failWith(() => Promise.resolve(new Response(null, { status: 503 })));
    await exporting.monitor.end?.();
    exporting.failWith(() => Promise.resolve(new Response(null, { status: 400 })));
    await exporting.monitor.end?.();
    await exporting.monitor.end?.();
    assertEquals(exporting.sent.filter(({ url }) => url.endsWith("/traces")).length, 2);
    assertEquals(exporting.warnings, [
      "Cannot export to http://collector:4318: its status is 503.",
    ]);
  });
});

describe("exportOtlp", () => {
  it.exporting("follows no redirect, which would take its keys elsewhere", async (exporting) => {
    exporting.failWith(() => Promise.resolve(new Response(null, { status: 307 })));
    await exporting.request("/health");
    await exporting.end();
    assertEquals(exporting.sent.map(({ redirect }) => redirect), ["manual", "manual"]);
    assertEquals(exporting.warnings, [
      "Cannot export to http://collector:4318: its status is 307.",
    ]);
  });

  it("sends each header as it is, whatever signs it has", async () => {
    await using exporting = openExporting({
      OTEL_EXPORTER_OTLP_HEADERS: " api-key = a&b=c+d%20e , x-100 = 100% ,, broken",
    });
    await exporting.end();
    const { headers } = present(exporting.sent[0]);
    assertEquals(headers.get("api-key"), "a&b=c+d e");
    assertEquals([headers.get("x-100"), headers.has("b")], ["100%", false]);
  });

  it("shows no secret of its address", async () => {
    await using exporting = openExporting({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/?key=s3cret",
    });
    exporting.failWith(() => Promise.reject(new Error("no https://c/v1/traces?key=s3cret")));
    await exporting.monitor.end?.();
    assertEquals(exporting.sent.map(({ url }) => url), [
      "https://collector.example/otlp/v1/metrics?key=s3cret",
    ]);
    assertEquals(exporting.warnings, [
      "Cannot export to https://collector.example/otlp: no https://c/v1/traces.",
    ]);
  });

  const unusable: Record<string, [changes: Record<string, string>, about: RegExp]> = {
    "a name and a password in its address": [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://me:s3cret@collector.example" },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be .* OTEL_EXPORTER_OTLP_HEADERS/,
    ],
    "an address that is none": [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "s3cret" },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be/,
    ],
    "a header that cannot be sent": [
      { OTEL_EXPORTER_OTLP_HEADERS: "api-key=s3cret%0ax" },
      /^OTEL_EXPORTER_OTLP_HEADERS has a header/,
    ],
  };
  for (const [what, [changes, about]] of Object.entries(unusable)) {
    it(`exports nothing with ${what}, and says so without the secret`, () => {
      const warnings: string[] = [];
      const monitor = exportOtlp(
        { ...environment, ...changes },
        (message) => void warnings.push(message),
      );
      assertEquals([monitor, warnings.length], [undefined, 1]);
      assertMatch(warnings.join(), about);
      assertEquals(warnings.join().includes("s3cret"), false);
    });
  }

  it("does nothing without a receiver, or where Deno exports already", () => {
    const warnings: string[] = [];
    const open = (given: Record<string, string>) =>
      exportOtlp(given, (message) => void warnings.push(message));
    assertEquals(open({}), undefined);
    if (!("Deno" in globalThis)) return;
    assertEquals(open({ ...environment, OTEL_DENO: "true" }), undefined);
    assertMatch(warnings.join(), /^With OTEL_DENO, Deno exports its own/);
  });
});
