import type { InternalServer } from "../../server.ts";
import type { Duration } from "../../util/duration.ts";
import type { WireRequest, WireResponse } from "../recording/exchange.ts";

/** Makes a lab misbehave: data, the same in TypeScript, over HTTP and in a file. */
export interface FaultOptions {
  /** A `FaultName`: `"token.server_error"`. */
  name: string;
  /** Limits the fault to one tenant of the lab. */
  tenant?: string | undefined;
  /** Limits the fault to one client. */
  client?: string | undefined;
  /** Limits the fault to the flow with this `state`. */
  state?: string | undefined;
  /** Limits the fault to the flow with this `login_hint`. */
  loginHint?: string | undefined;
  /** Fires for the first time at the nth match, counted from 1. */
  nth?: number | undefined;
  /**
   * How often the fault fires.
   *
   * @default once with `nth`, otherwise without a limit
   */
  times?: number | undefined;
  /** How long a slow fault waits, or the value of `Retry-After`. */
  delay?: Duration | undefined;
}

/** A fault that was added to a lab. */
export interface Fault extends FaultOptions {
  /** The id for `lab.faults.remove`. */
  id: string;
  /** How many requests the fault matched. */
  met: number;
  /** How often it fired. */
  fired: number;
}

/** The request that a fault applies to, and its means. */
export interface FaultContext {
  fault: Fault;
  request: WireRequest;
  server: InternalServer;
  /** Maps a refresh token that a client got to the one that the server knows. */
  aliases: Map<string, string>;
  /** Waits in real time, at most until the lab is closed. */
  wait(milliseconds: number): Promise<void>;
}

/** One way to misbehave: instead of the server's response, or by changing it. */
export type FaultKind = ReplacingFault | ChangingFault;

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
  /** Whether the response has what the fault changes. */
  canChange(response: WireResponse, context: FaultContext): boolean;
  change(response: WireResponse, context: FaultContext): WireResponse | Promise<WireResponse>;
}

/** A response whose connection breaks halfway. */
export const dropped: WireResponse = {
  status: 200,
  headers: [["Content-Type", "application/json"]],
  body: '{"',
};
