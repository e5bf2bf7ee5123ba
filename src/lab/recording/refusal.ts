import type { ServerEvent } from "../../config/events.ts";
import type { Exchange } from "./exchange.ts";
import { parameterAtFault } from "./parameter_at_fault.ts";

/** Why the server refused a request. */
export interface Refusal {
  /** The error code. */
  error: string;
  /** What was expected and what came, in one sentence. */
  description: string;
  /** A second sentence, with what an untrusted client should not know. */
  hint?: string | undefined;
  /** The section that requires the error. */
  see?: string | undefined;
  /** The parameter or header that the error is about, if one is known; it may be missing. */
  parameter?: string | undefined;
}

/** Returns why the server refused the request of an exchange, or undefined if it did not. */
export function refusalOf(
  { events, request }: Pick<Exchange, "events" | "request">,
): Refusal | undefined {
  const refused = events.findLast(isRefusal);
  if (!refused) return undefined;
  const { error, description, hint, see } = refused;
  return { error, description, hint, see, parameter: parameterAtFault(refused, request) };
}

type RefusalEvent = Extract<ServerEvent, { type: "request.refused" }>;

function isRefusal(event: ServerEvent): event is RefusalEvent {
  return event.type === "request.refused";
}
