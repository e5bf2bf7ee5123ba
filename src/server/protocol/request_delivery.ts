import type { Client } from "../model/client.ts";
import type { ApplyRule } from "./rule.ts";
import { ruleSet } from "./rule_set.ts";

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

const about = { see: "RFC 9126, section 6", error: "invalid_request" } as const;

const requestRules = ruleSet("request", about, {
  pushed: {
    parameter: "request_uri",
    must: "A client that must push its authorization requests must send a request_uri",
    fix: "Send the parameters to the pushed authorization request endpoint first.",
    holds: ({ client, pushed }: DeliveredRequest) => pushed || !client.requirePar,
  },
  signed: {
    see: "RFC 9101, section 10.5",
    parameter: "request",
    must: "A client that must sign its authorization requests must send the parameter 'request'",
    fix: "Send the parameters as a signed request object.",
    holds: ({ client, signed }: DeliveredRequest) => signed || !client.requireSignedRequest,
  },
});

/** Checks that a client pushed or signed its request if it must. */
export function checkDelivery(apply: ApplyRule, client: Client, delivery: RequestDelivery): void {
  apply(requestRules.pushed, { client, ...delivery });
  apply(requestRules.signed, { client, ...delivery });
}

/** Returns the `request_uri` of a stored request (RFC 9126, section 2.2). */
export function storedRequestUri(handle: string): string {
  return requestUriPrefix + handle;
}

/**
 * Returns the handle of a request that is stored here, or undefined for any other `request_uri`.
 */
export function storedRequestHandle(requestUri: string | undefined): string | undefined {
  if (!requestUri?.startsWith(requestUriPrefix)) return undefined;
  return requestUri.slice(requestUriPrefix.length);
}
