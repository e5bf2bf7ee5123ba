import type { DecodedJwt } from "../recording/credentials.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { CountedScope } from "../recording/flow_scope.ts";
import type { HandledRequest } from "./pending_exchange.ts";

/** A fault that stays as long as the lab. */
export interface StandingFault extends CountedScope {
  id: string;
  name: string;
}

/**
 * What watches a lab and its tenants from the start to the end, and makes them misbehave. The suite
 * that uses the lab does not see it: no reset removes it, and no list of faults shows it.
 */
export interface LabProbe {
  /** The faults that apply to every request, after those of the tests. */
  readonly faults: readonly StandingFault[];
  /** Receives each exchange before its response is sent. */
  observe(exchange: Exchange, answered: HandledRequest): Promise<void>;
  /** Receives each logout token that was sent, without faults, and the status of the response. */
  observeLogoutToken(token: DecodedJwt, status: number | undefined): void;
}
