import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { EventRequest, RequestFacts, ServerEvent } from "../../server/config/events.ts";
import type { MetricRegistry } from "./registry.ts";

/** How many clients have a label of their own. */
const maxClients = 200;

/**
 * Creates the metrics that are computed from events, and the listener that computes them. It needs
 * the path of the token endpoint, with that of the issuer.
 */
export function createEventMetrics(
  registry: MetricRegistry,
  tokenPath: () => string,
): (event: ServerEvent | LabEvent, request?: EventRequest) => void {
  const metrics = registerMetrics(registry);
  const clientLabel = createClientLabel();

  function countRequest(
    { path, method, status, error }: Extract<ServerEvent, { type: "request.handled" }>,
    request: EventRequest,
  ) {
    const { grantType, duration } = request;
    metrics.requests.add({ path, method, status: `${status}` });
    metrics.durations.observe(duration / 1000, { path });
    if (path !== tokenPath() || method !== "POST") return;
    const grant = grantType ?? "unknown";
    metrics.tokens.add({ grant, client: clientLabel(request), result: error ?? "issued" });
  }

  return (event, request) => {
    if (event.type !== "request.handled") return countEvent(metrics, event);
    return request && countRequest(event, request);
  };
}

function registerMetrics({ counter, gauge, histogram }: MetricRegistry) {
  return {
    requests: counter("hallpass_requests_total", "Requests, by their outcome."),
    durations: histogram("hallpass_request_duration_seconds", "How long requests took."),
    tokens: counter(
      "hallpass_token_requests_total",
      "Token requests, by grant, client and result: issued, or the error.",
    ),
    refusals: counter("hallpass_refusals_total", "Refused requests, by error and rule."),
    shed: counter(
      "hallpass_overload_refusals_total",
      "Requests refused before they were read, because the process was overloaded.",
    ),
    signIns: counter("hallpass_sign_ins_total", "Sign-ins, by result."),
    logouts: counter(
      "hallpass_logout_notifications_total",
      "Attempts to tell a client of a sign-out, by result.",
    ),
    outbound: counter(
      "hallpass_outbound_failures_total",
      "Failed requests to other servers, by purpose.",
    ),
    work: counter("hallpass_background_runs_total", "Work in the background."),
    lastSuccess: gauge(
      "hallpass_background_last_success_timestamp_seconds",
      "When work in the background last succeeded.",
    ),
    swept: counter("hallpass_rows_swept_total", "Expired rows that were deleted."),
  };
}

function countEvent(
  metrics: ReturnType<typeof registerMetrics>,
  event: ServerEvent | LabEvent,
): void {
  const { refusals, shed, signIns, logouts, outbound, work, lastSuccess, swept } = metrics;
  switch (event.type) {
    case "request.refused":
      return refusals.add({ error: event.error, rule: event.rule ?? "none" });
    case "server.overloaded":
      return shed.add({}, event.requests);
    case "sign_in.succeeded":
      return signIns.add({ result: "succeeded" });
    case "sign_in.failed":
      return signIns.add({ result: "failed" });
    case "logout.delivered":
      return logouts.add({ result: "delivered" });
    case "logout.failed":
      return logouts.add({ result: event.isLast ? "given_up" : "failed" });
    case "outbound.failed":
      return outbound.add({ purpose: event.what });
    case "work.finished":
      lastSuccess.set(Date.now() / 1000, { task: event.what });
      return work.add({ task: event.what, result: "finished" });
    case "work.failed":
      return work.add({ task: event.what, result: "failed" });
    case "rows.swept":
      return swept.add({}, event.rows);
  }
}

/**
 * Creates the function that returns the label of the client of a request. A client of the operator
 * has its id. Anyone can register a client or publish a document, so these are counted together: a
 * label must not take any number of values.
 */
export function createClientLabel(): (facts: RequestFacts) => string {
  const labelled = new Set<string>();
  return ({ client, clientKind }) => {
    if (client === undefined) return "none";
    if (clientKind === "registered" || clientKind === "document") return clientKind;
    if (labelled.size < maxClients) labelled.add(client);
    return labelled.has(client) ? client : "other";
  };
}
