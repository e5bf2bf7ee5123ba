import type { CallbackError } from "../../server/protocol/callback.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { flowPath } from "../flows/flow_source.ts";
import { readJwt } from "../recording/credentials.ts";
import type { Exchange } from "../recording/exchange.ts";
import { type Refusal, refusalOf } from "../recording/refusal.ts";
import { callbackIn, memberOf } from "../recording/wire_callback.ts";

/** What the lab knows about an error that a client received. */
export interface FailedFlow {
  /** The path below `/lab` of the page that shows it. */
  path: string;
  /** Why the server refused the request; a user who denies it does not count. */
  refusal: Refusal | undefined;
}

/** Finds the flow that ended in an error response, unless it is no longer recorded. */
export function failedFlowOf(lab: CoreLab, error: CallbackError): FailedFlow | undefined {
  const exchange = lab.exchanges().findLast((each) => {
    if (!mayHaveSent(each, error)) return false;
    const member = callbackMembersOf(each, lab.issuer);
    return member("error") === error.error && member("state") === error.state &&
      member("error_description") === error.errorDescription;
  });
  return exchange && { path: flowPath(lab, exchange.id), refusal: refusalOf(exchange) };
}

/** Reading each response would take long in a busy lab. */
function mayHaveSent({ events, faults }: Exchange, { error }: CallbackError): boolean {
  return faults.length > 0 ||
    events.some((event) => event.type === "request.refused" && event.error === error);
}

/** Reads what a client receives in a response, plain or signed (JARM). */
function callbackMembersOf({ response }: Exchange, issuer: string): (name: string) => unknown {
  const callback = response && callbackIn(response, issuer);
  const signed = readJwt(memberOf(callback, "response") ?? "");
  return (name) => signed ? signed.claims[name] : memberOf(callback, name);
}
