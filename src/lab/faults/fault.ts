import type { InternalServer } from "../../server.ts";
import type { Duration } from "../../util/duration.ts";
import type { WireRequest, WireResponse } from "../recording/exchange.ts";

/** An order to misbehave: data, the same in TypeScript, over HTTP and in a file. */
export interface FaultOptions {
  /** One of the catalogue, a `FaultName`: "token.server_error". */
  name: string;
  /** Only for this tenant of the lab. */
  tenant?: string;
  /** Only for this client. */
  client?: string;
  /** Only for the flow with this state. */
  state?: string;
  /** Only for the flow with this login_hint. */
  loginHint?: string;
  /** Only the n-th time, counted from 1. */
  nth?: number;
  /** So many times at most. Default: once with `nth`, else without end. */
  times?: number;
  /** How long it waits, where it waits; and how long Retry-After says. */
  delay?: Duration;
}

/** An order that stands, and what came of it. */
export interface Fault extends FaultOptions {
  /** By which it can be taken back. */
  id: string;
  /** How often it could have struck. */
  met: number;
  /** How often it did. */
  fired: number;
}

/** What a fault works with. */
export interface FaultContext {
  fault: Fault;
  request: WireRequest;
  server: InternalServer;
  /** Refresh tokens that stand for others: what a client was shown, and what the server knows. */
  aliases: Map<string, string>;
  /** Waits for real time, or until the lab is closed. */
  wait(milliseconds: number): Promise<void>;
}

/** One way to misbehave. It is either done in place of an answer, or to an answer. */
export type FaultKind = ReplacingFault | ChangingFault;

interface FaultDescription {
  /** What a client meets, in a sentence. */
  summary: string;
}

export interface ReplacingFault extends FaultDescription {
  appliesTo(wireRequest: WireRequest): boolean;
  /** Gives the answer; `proceed` gives the one that the server would give. */
  respond(context: FaultContext, proceed: () => Promise<WireResponse>): Promise<WireResponse>;
}

export interface ChangingFault extends FaultDescription {
  appliesTo(asked: WireRequest): boolean;
  /** Whether there is anything in this answer that can be spoilt. */
  canChange(response: WireResponse, faultContext: FaultContext): boolean;
  change(wireResponse: WireResponse, scene: FaultContext): WireResponse | Promise<WireResponse>;
}

/** The answer whose connection breaks in the middle. */
export const dropped: WireResponse = {
  status: 200,
  headers: [["Content-Type", "application/json"]],
  body: '{"',
};
