import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ChooseCredential, CredentialName } from "../../server/issuer/random.ts";
import { readResponse, type WireResponse } from "../recording/exchange.ts";
import type { ScopeSubject } from "../recording/flow_scope.ts";
import type { PendingExchange } from "./pending_exchange.ts";

/** Returns the response of the layers within. */
type Next = () => Promise<WireResponse>;

/** One thing that a lab does to a request, to its response, or in place of the server. */
export interface Layer {
  (exchange: PendingExchange, next: Next): Promise<WireResponse>;
  /** Whether it takes no part in a request: without a call, there is no closure for the next. */
  isIdle?(exchange: PendingExchange): boolean;
}

/** Responds to a request: several layers, one around the other. */
export type Pipeline = (exchange: PendingExchange) => Promise<WireResponse>;

/** Puts layers around each other: the first one is the outermost, and the last one responds. */
export type Nest = (layers: readonly Layer[]) => Pipeline;

/** A request, or a test that mints, which may create credentials. */
export interface CreatingRequest extends ScopeSubject {
  context: Context;
  /** Called with the name of each credential whose value a test chose. */
  onChosen?(name: CredentialName): void;
}

/** What a part of a lab does to requests, from the client to the server. */
export interface RequestLayers {
  /** Whether it responds to a request that would get a page of the lab. */
  claims?(request: IncomingRequest, path: string): boolean;
  /** Finds out who responds, before the layers. */
  identify?(exchange: PendingExchange): Promise<void> | undefined;
  /** Adds to the page that a user sees, which is recorded without it. */
  show?: Layer;
  /** Makes known to the server what the lab admits. */
  admit?: Layer;
  /** Makes known to the server a client that a test names, which no request has named. */
  admitNamed?(context: Context, client: string, redirectUri: string | undefined): Promise<void>;
  /** Applies the faults of a test. */
  misbehave?: Layer;
  /** Changes what the server sends, or responds in its place. */
  change?: Layer;
  /** Applies a leniency. */
  permit?: Layer;
  /** Chooses the credentials that the request creates; undefined if all of them are random. */
  choose?(request: CreatingRequest): ChooseCredential | undefined;
  /** Makes the server understand the request. */
  translate?: Layer;
}

export function nest(layers: readonly Layer[]): Pipeline {
  return layers.reduceRight<Pipeline>(
    (inner, layer) => (exchange) =>
      layer.isIdle?.(exchange) ? inner(exchange) : layer(exchange, () => inner(exchange)),
    () => Promise.reject(new Error("No layer responds.")),
  );
}

/** Returns a layer that takes no part while a condition holds, without a promise. */
export function unless(isIdle: (exchange: PendingExchange) => boolean, layer: Layer): Layer {
  const taking: Layer = (exchange, next) => isIdle(exchange) ? next() : layer(exchange, next);
  return Object.assign(taking, { isIdle });
}

/** Keeps a response as it was made: that is sent if no layer changes it. */
export async function respondWith(
  exchange: PendingExchange,
  response: ResponseData,
): Promise<WireResponse> {
  const made = readResponse(response);
  // Each wait counts, and most bodies are whole.
  exchange.made = made instanceof Promise ? await made : made;
  return exchange.made.read;
}

/** Lets the server respond. */
export const askServer: Layer = async (exchange) => {
  const { server, serverRequest, arrival, observer } = exchange;
  return await respondWith(
    exchange,
    await server.respond({ ...serverRequest, ...arrival }, observer),
  );
};

/** Makes a part of the lab respond to a request instead of the server. `identify` calls it. */
export function respondInstead(exchange: PendingExchange, response: ResponseData): void {
  exchange.kind = "lab";
  exchange.labResponse = response;
}

/** Responds with what a part of the lab made. */
export const respondAsLab: Layer = async (exchange) => {
  if (!exchange.labResponse) throw new Error("No part of the lab responds.");
  return await respondWith(exchange, exchange.labResponse);
};
