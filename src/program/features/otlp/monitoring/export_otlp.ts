import { version } from "../../../../runtime/version.ts";
import { messagesOf } from "../../../../server/util/text/error_message.ts";
import { minute, second } from "../../../../server/util/time/duration.ts";
import { createMetrics, type Monitor } from "../../../monitoring/metrics.ts";
import type { Environment } from "../../../terminal/terminal.ts";
import { type ExportedRequest, toAttributes, toMetric, toSpan } from "./otlp_json.ts";
import { readList, readReceiver } from "./otlp_receiver.ts";

/** How many requests wait at most to be exported; others are left out. */
const maxWaiting = 2048;
const batchSize = 512;
/** The time between two exports of spans, and of the metrics, in milliseconds. */
const pause = 1 * second * 1000;
const metricsPause = 1 * minute * 1000;
/** How long a receiver may take, in milliseconds. */
const timeout = 2 * second * 1000;
/** What a receiver may take later (OTLP specification, "OTLP/HTTP Response"). */
const passing = [429, 502, 503, 504];

const scope = { name: "hallpass", version };

/**
 * Exports a span for each request, and the metrics, to the receiver that the environment names. A
 * timer sends them: no request waits for it, and none fails by it.
 */
export function exportOtlp(
  environment: Environment,
  warn: (message: string) => void,
  send: typeof fetch = fetch,
): Monitor | undefined {
  if (!mayRead("OTEL_EXPORTER_OTLP_ENDPOINT")) return undefined;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_DENO: ofDeno } = environment;
  if (!endpoint) return undefined;
  if (ofDeno === "true" && "Deno" in globalThis) {
    warn("With OTEL_DENO, Deno exports its own spans and metrics, and Hallpass none.");
    return undefined;
  }
  const receiver = readReceiver(endpoint, environment);
  if (typeof receiver === "string") {
    warn(`${receiver} Nothing is exported.`);
    return undefined;
  }
  const { shown, headers, urlFor, toShow } = receiver;
  const metrics = createMetrics(false);
  const waiting: ExportedRequest[] = [];
  const start = Date.now();
  const described = readList(environment.OTEL_RESOURCE_ATTRIBUTES);
  const name = environment.OTEL_SERVICE_NAME || described["service.name"] || "hallpass";
  const resource = { attributes: toAttributes({ ...described, "service.name": name }) };
  let metricsAt = start;
  let leftOut = 0;
  let isFailing = false;
  let exporting: Promise<void> | undefined;

  /** Sends a message, and returns whether it is done with: one that is refused stays so. */
  async function post(kind: "traces" | "metrics", message: object): Promise<boolean> {
    const response = await send(urlFor(kind), {
      method: "POST",
      headers,
      body: JSON.stringify(message),
      // Another host must not get the headers, which may hold a key.
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
    report(response.ok ? undefined : `its status is ${response.status}`);
    return !passing.includes(response.status);
  }

  /** Reports the first of several failures, and at their end what is missing. */
  function report(problem: string | undefined): void {
    if (problem !== undefined && !isFailing) warn(`Cannot export to ${shown}: ${toShow(problem)}.`);
    isFailing = problem !== undefined;
    if (isFailing || leftOut === 0) return;
    warn(`Left out ${leftOut} spans, because ${shown} did not take them in time.`);
    leftOut = 0;
  }

  async function exportAll(withMetrics: boolean): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      const scopeSpans = [{ scope, spans: batch.map(toSpan) }];
      if (!await post("traces", { resourceSpans: [{ resource, scopeSpans }] })) return;
      waiting.splice(0, batch.length);
    }
    if (!withMetrics) return;
    metricsAt = Date.now();
    const measured = (await metrics.read()).filter(({ samples }) => samples.length > 0);
    const written = measured.map((metric) => toMetric(metric, { start, now: metricsAt }));
    const scopeMetrics = [{ scope, metrics: written }];
    await post("metrics", { resourceMetrics: [{ resource, scopeMetrics }] });
  }

  const begin = (withMetrics: boolean) =>
    exportAll(withMetrics).catch((cause) => report(messagesOf(cause)));

  const timer = setInterval(() => {
    const isDue = Date.now() - metricsAt >= metricsPause;
    exporting ??= begin(isDue).finally(() => exporting = undefined);
  }, pause);

  return {
    ...metrics,
    onEvent(event, request) {
      metrics.onEvent(event, request);
      if (event.type !== "request.handled" || !request) return;
      const { parentId, flags } = request.trace;
      // The caller decides about its trace (W3C Trace Context, section 3.2.2.5.1).
      if (parentId !== undefined && (flags & 1) === 0) return;
      if (waiting.length < maxWaiting) waiting.push({ event, request });
      else leftOut += 1;
    },
    async end() {
      clearInterval(timer);
      await exporting;
      await begin(true);
    },
  };
}

/** An operator may have given Deno fewer permissions, and a server needs none of these. */
function mayRead(variable: string): boolean {
  if (!("Deno" in globalThis)) return true;
  return Deno.permissions.querySync({ name: "env", variable }).state === "granted";
}
