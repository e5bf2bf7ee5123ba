import type { IncomingRequest, RequestArrival } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { RequestObserver } from "../../server/issuer/context.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Exchange, ExchangeLabels, MadeResponse, WireRequest } from "../recording/exchange.ts";
import type { LearnedFacts } from "../recording/request_scope.ts";
import type { FlowTrace } from "../recording/timeline.ts";

/** A request, and the server that responds: what a change of the response depends on. */
export interface HandledRequest {
  /** The request as the client sent it; a dialect adds the endpoint. */
  request: WireRequest;
  /** The server that responds, which has the scopes that a layer admitted. */
  server: InternalServer;
}

/** A request to a lab that has no response yet. Each layer may change what the next ones get. */
export interface PendingExchange extends HandledRequest {
  /** The same request as the server gets it, which layers translate. */
  serverRequest: IncomingRequest;
  /** How it arrived: no layer that makes another request for the server can lose it. */
  arrival: RequestArrival;
  /**
   * Who responds: the server, as the protocol wants; a part of the lab; a route that the test added;
   * or the server, with a page. What identifies the request may change it, before the layers.
   */
  kind: "protocol" | "lab" | "route" | "page";
  /** Whether it is for a route that the test added, which may be at a path of the protocol. */
  readonly isTestRoute: boolean;
  /** The path below the issuer, or below the URL of the dialect. */
  readonly path: string;
  /** What the server asks and notes while it responds. Layers add the answers that they have. */
  observer: RequestObserver;
  /** What was learned from the server, and from what decided or refused in its place. */
  readonly learned: LearnedFacts;
  /** Returns the place of the request in the order of events, which the first call fixes. */
  readonly startMark: () => number;
  /** The names of the hooks and faults that fired, in the order in which they changed the response. */
  readonly fired: string[];
  /** What the record knows of it besides the request and the response. */
  labels: ExchangeLabels;
  /** The response of a part of the lab, for `kind: "lab"`. */
  labResponse?: ResponseData;
  /** The response before any layer changed it. */
  made?: MadeResponse;
  /** What a hook threw: a client in this process gets it in place of the response. */
  failure?: unknown;
  /** The entry that the record layer adds, once there is a response. */
  recorded?: Exchange;
  /** Finds the flow that the request continues. */
  findFlow(): Promise<FlowTrace | undefined>;
}
