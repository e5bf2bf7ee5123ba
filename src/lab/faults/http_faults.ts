import { minute, parseDuration, second } from "../../util/duration.ts";
import type { WireResponse } from "../recording/exchange.ts";
import { dropped, type FaultContext, type FaultKind, type ReplacingFault } from "./fault.ts";
import { type FaultPlace, places } from "./places.ts";

/** A fault of an endpoint: `"token.server_error"`. */
export type HttpFault = `${FaultPlace}.${HttpMisbehavior}`;

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
  | "redirect";

/** What any endpoint can be told to do. */
const misbehaviors: Record<HttpMisbehavior, Pick<ReplacingFault, "respond" | "summary">> = {
  server_error: {
    summary: "answers 500 with an error in JSON",
    respond: async () => failure(500, "server_error", "The server met an unexpected condition."),
  },
  unavailable: {
    summary: "answers 503 with an error in JSON",
    respond: async (context) =>
      failure(
        503,
        "temporarily_unavailable",
        "The server is down for maintenance.",
        retryAfter(context),
      ),
  },
  too_many_requests: {
    summary: "answers 429 with Retry-After, 30 seconds unless 'delay' says otherwise",
    respond: async (context) =>
      failure(429, "temporarily_unavailable", "There were too many requests.", retryAfter(context)),
  },
  slow: {
    summary: "answers after 5 seconds, or what 'delay' says",
    respond: async (context, proceed) => {
      await context.wait(1000 * (parseDuration(context.fault.delay) ?? 5 * second));
      return await proceed();
    },
  },
  never: {
    summary: "never answers",
    respond: async (context) => {
      await context.wait(Infinity);
      return failure(503, "temporarily_unavailable", "The lab was closed.");
    },
  },
  dropped: {
    summary: "breaks the connection off in the middle of the answer",
    respond: async () => dropped,
  },
  html: {
    summary: "answers 502 with a page, as a proxy does whose server is gone",
    respond: async () =>
      text(502, "text/html", "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>"),
  },
  malformed_json: {
    summary: "answers 200 with JSON that ends too early",
    respond: async () => text(200, "application/json", '{"access_token": "abc", "token_type":'),
  },
  redirect: {
    summary: "answers 302 to another host",
    respond: async () => ({
      status: 302,
      headers: [["Location", "https://elsewhere.example/"]],
      body: "",
    }),
  },
};

/** Every misbehavior at every endpoint: "token.server_error", "jwks.slow", … */
export function httpFaults(): Record<HttpFault, FaultKind> {
  const all = Object.entries(places).flatMap(([place, appliesTo]) =>
    Object.entries(misbehaviors).map(([name, { summary, respond }]): [string, FaultKind] => [
      `${place}.${name}`,
      { summary: `The ${place} endpoint ${summary}.`, appliesTo, respond },
    ])
  );
  return Object.fromEntries(all) as Record<HttpFault, FaultKind>;
}

/** An error as every endpoint writes it. */
export function failure(
  status: number,
  error: string,
  error_description: string,
  headers: WireResponse["headers"] = [],
): WireResponse {
  return text(status, "application/json", JSON.stringify({ error, error_description }), [[
    "Cache-Control",
    "no-store",
  ], ...headers]);
}

function text(
  status: number,
  type: string,
  body: string,
  headers: WireResponse["headers"] = [],
): WireResponse {
  return {
    status,
    headers: [["Content-Type", type], ["Access-Control-Allow-Origin", "*"], ...headers],
    body,
  };
}

function retryAfter({ fault }: FaultContext): WireResponse["headers"] {
  return [["Retry-After", String(Math.ceil(parseDuration(fault.delay) ?? minute / 2))]];
}
