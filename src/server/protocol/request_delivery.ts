import type { Client } from "../model/client.ts";
import type { ApplyRule, Rule } from "./rule.ts";

const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** How an authorization request reached the server. */
export interface RequestDelivery {
  /** In a signed request object. */
  signed: boolean;
  /** From the client directly, and not through the browser. */
  pushed: boolean;
}

/** How a request was delivered, and what its client must do. */
interface DeliveredRequest extends RequestDelivery {
  client: Pick<Client, "requirePar" | "requireSignedRequest">;
}

const requestIsPushed: Rule<DeliveredRequest> = {
  id: "request.pushed",
  title: "The request was pushed, if the client must push its requests",
  see: "RFC 9126, section 6",
  parameter: "request_uri",
  error: "invalid_request",
  message: "This client must push its authorization requests and send a request_uri.",
  advice: "Send the parameters to the pushed authorization request endpoint first.",
  holds: ({ client, pushed }) => pushed || !client.requirePar,
};

const requestIsSigned: Rule<DeliveredRequest> = {
  id: "request.signed",
  title: "The request is signed, if the client must sign its requests",
  see: "RFC 9101, section 10.5",
  parameter: "request",
  error: "invalid_request",
  message:
    "This client must sign its authorization requests and send them as the parameter 'request'.",
  advice: "Send the parameters as a signed request object.",
  holds: ({ client, signed }) => signed || !client.requireSignedRequest,
};

/** Checks that a client pushed or signed its request if it must. */
export function checkDelivery(apply: ApplyRule, client: Client, delivery: RequestDelivery): void {
  apply(requestIsPushed, { client, ...delivery });
  apply(requestIsSigned, { client, ...delivery });
}

/** Returns the `request_uri` of a pushed request (RFC 9126, section 2.2). */
export function pushedRequestUri(handle: string): string {
  return requestUriPrefix + handle;
}

/**
 * Returns the handle of a request that was pushed here, or undefined for any other `request_uri`.
 */
export function pushedRequestHandle(requestUri: string | undefined): string | undefined {
  if (!requestUri?.startsWith(requestUriPrefix)) return undefined;
  return requestUri.slice(requestUriPrefix.length);
}
