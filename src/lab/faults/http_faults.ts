import { minute, parseDuration, second } from "../../protocol/duration.ts";
import type { WireResponse } from "../watch/exchange.ts";
import type { FaultKind, InsteadOfAnswer, Scene } from "./fault.ts";
import { dropped } from "./fault.ts";
import type { Place } from "./places.ts";
import { places } from "./places.ts";

export type HttpFault = `${Place}.${Misdeed}`;

type Misdeed =
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
const misdeeds: Record<Misdeed, Pick<InsteadOfAnswer, "instead"> & { what: string }> = {
  server_error: {
    what: "answers 500 with an error in JSON",
    instead: async () => failure(500, "server_error", "The server met an unexpected condition."),
  },
  unavailable: {
    what: "answers 503 with an error in JSON",
    instead: async (scene) => failure(503, "temporarily_unavailable", "The server is down for maintenance.", retryAfter(scene)),
  },
  too_many_requests: {
    what: "answers 429 with Retry-After, 30 seconds unless 'delay' says otherwise",
    instead: async (scene) => failure(429, "temporarily_unavailable", "There were too many requests.", retryAfter(scene)),
  },
  slow: {
    what: "answers after 5 seconds, or what 'delay' says",
    instead: async (scene, proceed) => {
      await scene.wait(1000 * (parseDuration(scene.fault.delay) ?? 5 * second));
      return await proceed();
    },
  },
  never: {
    what: "never answers",
    instead: async (scene) => {
      await scene.wait(Infinity);
      return failure(503, "temporarily_unavailable", "The lab was closed.");
    },
  },
  dropped: { what: "breaks the connection off in the middle of the answer", instead: async () => dropped },
  html: {
    what: "answers 502 with a page, as a proxy does whose server is gone",
    instead: async () => text(502, "text/html", "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>"),
  },
  malformed_json: {
    what: "answers 200 with JSON that ends too early",
    instead: async () => text(200, "application/json", '{"access_token": "abc", "token_type":'),
  },
  redirect: {
    what: "answers 302 to another host",
    instead: async () => ({ status: 302, headers: [["Location", "https://elsewhere.example/"]], body: "" }),
  },
};

/** Every misdeed at every endpoint: "token.server_error", "jwks.slow", … */
export function httpFaults(): Record<HttpFault, FaultKind> {
  const all = Object.entries(places).flatMap(([place, concerns]) =>
    Object.entries(misdeeds).map(([misdeed, { what, instead }]): [string, FaultKind] => [
      `${place}.${misdeed}`,
      { what: `The ${place} endpoint ${what}.`, concerns, instead },
    ])
  );
  return Object.fromEntries(all) as Record<HttpFault, FaultKind>;
}

/** An error as every endpoint writes it. */
export function failure(status: number, error: string, error_description: string, headers: WireResponse["headers"] = []): WireResponse {
  return text(status, "application/json", JSON.stringify({ error, error_description }), [["Cache-Control", "no-store"], ...headers]);
}

function text(status: number, type: string, body: string, headers: WireResponse["headers"] = []): WireResponse {
  return { status, headers: [["Content-Type", type], ["Access-Control-Allow-Origin", "*"], ...headers], body };
}

function retryAfter({ fault }: Scene): WireResponse["headers"] {
  return [["Retry-After", String(Math.ceil(parseDuration(fault.delay) ?? minute / 2))]];
}
