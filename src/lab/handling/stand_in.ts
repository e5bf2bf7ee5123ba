import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { LabConfig } from "../lab_server/lab_config.ts";
import type { WireRequest } from "../recording/exchange.ts";

/** Lets the server respond to a request, whose rules the report then knows. */
export type RespondStrictly = (request: IncomingRequest) => Promise<ResponseData>;

/** A request of the protocol, before the server sees it. */
export interface StandInExchange {
  request: IncomingRequest;
  wireRequest: WireRequest;
  context: Context;
  respondStrictly: RespondStrictly;
}

/**
 * Responds in place of the server, as another product would. Hooks and faults change its responses
 * as they change those of the server. It is no setting: only a module in this process can pass it.
 */
export interface StandIn {
  /** The leniencies that come with it, as the report lists them now. */
  readonly leniencies: readonly string[];
  /** Returns the settings of the lab without the leniencies that the test does not want now. */
  restrict(powers: LabConfig): LabConfig;
  /** Responds to a request of the protocol, unless that is for the server itself. */
  respond(exchange: StandInExchange): Promise<ResponseData | undefined>;
}
