import type { Client } from "../model/client.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "RFC 9126, section 6");

const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** How an authorization request reached the server. */
export interface RequestDelivery {
  /** In a signed request object. */
  signed: boolean;
  /** From the client directly, and not through the browser. */
  pushed: boolean;
}

/** Checks that a client pushed or signed its request if it must. */
export function checkDelivery(client: Client, { signed, pushed }: RequestDelivery): void {
  if (client.requirePar && !pushed) {
    throw invalidRequest(
      "This client must push its authorization requests and send a request_uri.",
    );
  }
  if (client.requireSignedRequest && !signed) {
    throw invalidRequest(
      "This client must sign its authorization requests and send them as the parameter 'request'.",
      { see: "RFC 9101, section 10.5" },
    );
  }
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
