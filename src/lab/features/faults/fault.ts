import type { OutboundRequest } from "../../../server/http/outbound_fetch.ts";
import type { HandledRequest } from "../../layers/pending_exchange.ts";
import type { WireRequest, WireResponse } from "../../recording/exchange.ts";
import type { CountedScope, FlowScope } from "../../recording/flow_scope.ts";
import type { FaultOptions, PreparedResponse } from "./config.ts";
import type { JwtChange } from "./jwt_forgery.ts";

/** A response that a test prepared for the lab to send, once unless `times` says otherwise. */
export interface QueuedResponse extends PreparedResponse, FlowScope {}

/** A fault that was added to a lab. */
export interface Fault extends FaultOptions, CountedScope {
  /** The id for `lab.faults.remove`. */
  id: string;
  /** Why it may never fire. */
  warning?: string;
}

/** A fault that ends with the block that declares it: `using fault = lab.fault(…)`. */
export interface RemovableFault extends Fault {
  /** Removes the fault, so that no later test meets it. A second call does nothing. */
  remove(): void;
  /** Removes the fault at the end of the block. */
  [Symbol.dispose](): void;
}

/** The claims that faults added to access tokens, which userinfo has for these tokens as well. */
export interface TokenClaims {
  get(token: string): Readonly<Record<string, unknown>> | undefined;
  set(token: string, claims: Readonly<Record<string, unknown>>): void;
}

/** What the faults of a lab remember from one request to the next. */
export interface FaultMemory {
  /** Maps a refresh token that a client got to the one that the server knows. */
  aliases: Map<string, string>;
  /** What a fault remembers, by its id. */
  memory: Map<string, string>;
  /** What a response waits for that a fault holds, by the id of the fault. */
  held: Map<string, () => void>;
  addedClaims: TokenClaims;
}

/** The request that a fault applies to, and its means. */
export interface FaultContext extends HandledRequest, FaultMemory {
  fault: Fault;
  /** Waits in real time, at most until the lab is closed. */
  wait(milliseconds: number): Promise<void>;
  /** Waits for a promise, but no longer than that. */
  within(milliseconds: number, promise: Promise<void>): Promise<void>;
}

/**
 * One way to misbehave: instead of the server's response, by changing it, in a logout token, or in a
 * ping.
 */
export type FaultKind = ReplacingFault | ChangingFault | LogoutTokenFault | PingFault;

interface FaultDescription {
  /** What a client experiences, in one sentence. */
  summary: string;
  appliesTo(request: WireRequest): boolean;
}

export interface ReplacingFault extends FaultDescription {
  /** Creates the response; `proceed` returns the response of the server. */
  respond(context: FaultContext, proceed: () => Promise<WireResponse>): Promise<WireResponse>;
}

export interface ChangingFault extends FaultDescription {
  /** Whether it breaks a signature: it applies after the faults that would sign again. */
  breaksSignature?: boolean;
  canChange(response: WireResponse, context: FaultContext): boolean | Promise<boolean>;
  change(response: WireResponse, context: FaultContext): WireResponse | Promise<WireResponse>;
}

/** A fault in what the server sends to an application by itself: it applies to no request. */
export interface LogoutTokenFault extends FaultDescription {
  forgery: JwtChange;
}

/** A fault in a ping, with which the server tells an application to poll. */
export interface PingFault extends FaultDescription {
  /** Returns what is sent in place of a ping. */
  ping(ping: OutboundRequest): OutboundRequest[];
}
