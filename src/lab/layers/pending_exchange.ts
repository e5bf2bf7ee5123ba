import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { RequestObserver } from "../../server/issuer/context.ts";
import type { InternalServer } from "../../server/server.ts";
import type { Exchange, MadeResponse, WireRequest } from "../recording/exchange.ts";
import type { LearnedFacts } from "../recording/request_scope.ts";
import type { FlowTrace } from "../recording/timeline.ts";

/**
 * Who responds to a request: the server, as the protocol wants; a part of the lab beside the
 * server; a route of the test's own; or the server, with a page.
 */
export type ResponderKind = "protocol" | "beside" | "route" | "page";

/** What marks a request that the lab sent itself: a replay, or what its own server fetched. */
export type SentByLab = Pick<Exchange, "replayOf" | "isOwnRoute" | "past">;

/** A request, and the server that responded: what a change of the response depends on. */
export type AnsweredRequest = Pick<PendingExchange, "request" | "server">;

/** A request to a lab that has no response yet. Each layer may change what the next ones get. */
export interface PendingExchange {
  /** The request as the client sent it. */
  request: WireRequest;
  /** The request as the server gets it. */
  sent: IncomingRequest;
  kind: ResponderKind;
  /** Whether it is for a route of the test's own. Such a route may be at a path of the protocol. */
  readonly isOwnRoute: boolean;
  /** The path below the issuer, or below the URL of the dialect. */
  readonly path: string;
  /** The server that responds. */
  server: InternalServer;
  /** What the server asks and notes while it responds. */
  observer: RequestObserver;
  /** What was learned from the server. */
  readonly learned: LearnedFacts;
  /** Returns the place of the request in the order of events, which the first call fixes. */
  readonly startMark: () => number;
  /** The names of the hooks and faults that fired, in the order in which they changed the response. */
  readonly fired: string[];
  /** What the record knows of it beside the request and the response. */
  marks: Pick<Exchange, "issuer" | "isMcp" | keyof SentByLab>;
  /** The response of the part of the lab that responds beside the server. */
  besides?: ResponseData;
  /** The response before any layer changed it. */
  made?: MadeResponse;
  /** The error that a client in this process gets in place of the response. */
  failure?: unknown;
  /** What the record has of it, once there is a response. */
  recorded?: Exchange;
  /** Finds the flow that the request continues. */
  findFlow(): Promise<FlowTrace | undefined>;
}
