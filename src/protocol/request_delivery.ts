import type { Client } from "../model/client.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "RFC 9126, section 6");

/** How an authorization request came. */
export interface RequestDelivery {
  /** In a request object. */
  signed: boolean;
  /** By the client itself, and not through the browser. */
  pushed: boolean;
}

/** Refuses what came in the open where its client has to push (RFC 9126, section 6) or to sign (RFC 9101, section 10.5). */
export function checkDelivery(client: Client, { signed, pushed }: RequestDelivery): void {
  if (client.requirePar && !pushed) {
    throw invalidRequest(
      "The requests of this client must be pushed first, and named by their request_uri.",
    );
  }
  if (client.requireSignedRequest && !signed) {
    throw invalidRequest(
      "The requests of this client must be signed: send the parameter 'request'.",
      {
        see: "RFC 9101, section 10.5",
      },
    );
  }
}

const prefix = "urn:ietf:params:oauth:request_uri:";

/** The name under which a pushed request is found again (RFC 9126, section 2.2). */
export function requestUri(handle: string): string {
  return prefix + handle;
}

/** The handle of a request that was pushed here; nothing, where a `request_uri` is somebody else's. */
export function handleOf(requestUri: string | undefined): string | undefined {
  return requestUri?.startsWith(prefix) ? requestUri.slice(prefix.length) : undefined;
}
