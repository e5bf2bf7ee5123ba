import type { Duration } from "../../protocol/duration.ts";
import type { Server } from "../../server.ts";
import type { WireRequest, WireResponse } from "../watch/exchange.ts";

/** An order to misbehave: data, the same in TypeScript, over HTTP and in a file. */
export interface FaultOrder {
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
export interface Fault extends FaultOrder {
  /** By which it can be taken back. */
  id: string;
  /** How often it could have struck. */
  met: number;
  /** How often it did. */
  fired: number;
}

/** What a fault works with. */
export interface Scene {
  fault: Fault;
  asked: WireRequest;
  server: Server;
  /** Refresh tokens that stand for others: what a client was shown, and what the server knows. */
  aliases: Map<string, string>;
  /** Waits for real time, or until the lab is closed. */
  wait(milliseconds: number): Promise<void>;
}

/** One way to misbehave. It is either done in place of an answer, or to an answer. */
export type FaultKind = InsteadOfAnswer | ToAnswer;

interface Described {
  /** What a client meets, in a sentence. */
  what: string;
}

export interface InsteadOfAnswer extends Described {
  concerns(asked: WireRequest): boolean;
  /** Gives the answer; `proceed` gives the one that the server would give. */
  instead(scene: Scene, proceed: () => Promise<WireResponse>): Promise<WireResponse>;
}

export interface ToAnswer extends Described {
  concerns(asked: WireRequest): boolean;
  /** Whether there is anything in this answer that can be spoilt. */
  fits(answered: WireResponse, scene: Scene): boolean;
  spoil(answered: WireResponse, scene: Scene): WireResponse | Promise<WireResponse>;
}

/** The answer whose connection breaks in the middle. */
export const dropped: WireResponse = { status: 200, headers: [["Content-Type", "application/json"]], body: '{"' };
