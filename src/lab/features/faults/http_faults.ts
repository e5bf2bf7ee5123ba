import { minute, parseDuration, second } from "../../../server/util/time/duration.ts";
import { bodilessStatuses, droppedResponse, type WireResponse } from "../../recording/exchange.ts";
import { failureResponse, readableResponse } from "../../responses/failure_response.ts";
import { type FaultPlace, places } from "../../responses/places.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import type { Fault, FaultContext, FaultKind, ReplacingFault } from "./fault.ts";

/** The name of a fault that any endpoint can have: `"token.server_error"`. */
export type HttpFaultName = `${FaultPlace}.${HttpMisbehavior}`;

/** What any endpoint can do wrong. */
export type HttpMisbehavior =
  | "server_error"
  | "unavailable"
  | "too_many_requests"
  | "slow"
  | "never"
  | "dropped"
  | "html"
  | "malformed_json"
  | "redirect"
  | "response";

const misbehaviors: Record<HttpMisbehavior, Pick<ReplacingFault, "respond" | "summary">> = {
  server_error: {
    summary: "responds with 500 and an error in JSON",
    respond: async () =>
      failureResponse(500, "server_error", "The server encountered an unexpected condition."),
  },
  unavailable: {
    summary: "responds with 503 and an error in JSON",
    respond: async (context) =>
      failureResponse(
        503,
        "temporarily_unavailable",
        "The server is down for maintenance.",
        retryAfter(context),
      ),
  },
  too_many_requests: {
    summary: "responds with 429 and Retry-After: 'delay', or 30 seconds",
    respond: async (context) =>
      failureResponse(
        429,
        "temporarily_unavailable",
        "There were too many requests.",
        retryAfter(context),
      ),
  },
  slow: {
    summary: "responds after 'delay', or 5 seconds",
    respond: async (context, proceed) => {
      await context.wait(1000 * (parseDuration(context.fault.delay) ?? 5 * second));
      return await proceed();
    },
  },
  never: {
    summary: "never responds",
    respond: async (context) => {
      await context.wait(Infinity);
      return failureResponse(503, "temporarily_unavailable", "The lab was closed.");
    },
  },
  dropped: {
    summary: "closes the connection in the middle of the response",
    respond: async () => droppedResponse,
  },
  html: {
    summary: "responds with 502 and a page, as a proxy does when its server is down",
    respond: async () =>
      readableResponse(
        502,
        "text/html",
        "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>",
      ),
  },
  malformed_json: {
    summary: "responds with 200 and JSON that ends too early",
    respond: async () =>
      readableResponse(200, "application/json", '{"access_token": "abc", "token_type":'),
  },
  redirect: {
    summary: "redirects to another host",
    respond: async () => ({
      status: 302,
      headers: [["Location", "https://elsewhere.example/"]],
      body: "",
    }),
  },
  response: {
    summary: "responds with the 'status', 'headers' and 'body' of the fault",
    respond: async ({ fault }) => preparedResponse(fault),
  },
};

/** Returns the name of the fault that sends a response of the test's own. */
export function preparedFault(at: FaultPlace): HttpFaultName {
  const names = Object.keys(places);
  if (at === undefined) throw new LabError(`'at' is missing. Choose one of: ${names.join(", ")}.`);
  if (!names.includes(at)) throw unknownName("place for a response", String(at), names);
  return `${at}.response`;
}

/** Returns every misbehavior at every endpoint: "token.server_error", "jwks.slow", … */
export function httpFaults(): Record<HttpFaultName, FaultKind> {
  const all = Object.entries(places).flatMap(([place, appliesTo]) =>
    Object.entries(misbehaviors).map(([name, { summary, respond }]): [string, FaultKind] => [
      `${place}.${name}`,
      { summary: `The ${place} endpoint ${summary}.`, appliesTo, respond },
    ])
  );
  return Object.fromEntries(all) as Record<HttpFaultName, FaultKind>;
}

function retryAfter({ fault }: FaultContext): WireResponse["headers"] {
  return [["Retry-After", String(Math.ceil(parseDuration(fault.delay) ?? minute / 2))]];
}

/** Returns the response that a test prepared; an error without a body gets the usual one. */
function preparedResponse({ status = 200, headers = {}, body }: Fault): WireResponse {
  const extra = Object.entries(headers);
  if (body === undefined && status >= 400) {
    const code = status >= 500 ? "server_error" : "invalid_request";
    return failureResponse(status, code, "A test prepared this response.", extra);
  }
  if (body === undefined || bodilessStatuses.includes(status)) {
    return { status, headers: extra, body: "" };
  }
  const isText = typeof body === "string";
  const hasType = extra.some(([name]) => name.toLowerCase() === "content-type");
  const type = isText ? "text/plain; charset=utf-8" : "application/json";
  const contentType: WireResponse["headers"] = hasType ? [] : [["Content-Type", type]];
  return {
    status,
    headers: [...contentType, ["Access-Control-Allow-Origin", "*"], ...extra],
    body: isText ? body : JSON.stringify(body),
  };
}
