import type { Client } from "../model/client.ts";
import { hour } from "../util/time/duration.ts";
import { type FormParameters, mayBeRepeated, toParameters } from "./form_parameters.ts";
import { type JwtClaims, jwtTimesProblem } from "./jwt.ts";
import { type ApplyRule, ruleSet } from "./rule.ts";

const requestUriPrefix = "urn:ietf:params:oauth:request_uri:";

/** The allowed `typ` of a request object (RFC 9101, section 10.8). */
export const requestObjectTypes: ReadonlyArray<string | undefined> = [
  undefined,
  "JWT",
  "oauth-authz-req+jwt",
];

/** The claims about the JWT itself, which are not request parameters. */
const jwtClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

const maxObjectLifetime = 1 * hour;

/** How an authorization request reached the server. */
export interface RequestDelivery {
  /** In a signed request object. */
  signed: boolean;
  /** From the client directly, and not through the browser. */
  pushed: boolean;
}

/** How a request was delivered, and what its client must do. */
interface DeliveredRequest extends RequestDelivery {
  client: Client;
}

const about = { see: "RFC 9126, section 6", error: "invalid_request" } as const;

const deliveryRules = ruleSet("request", about, {
  pushed: {
    parameter: "request_uri",
    title: "A client that must push its authorization requests must send a request_uri",
    fix: "Send the parameters to the pushed authorization request endpoint first.",
    holds: ({ client, pushed }: DeliveredRequest) => pushed || !client.requirePar,
  },
  signed: {
    see: "RFC 9101, section 10.5",
    parameter: "request",
    title: "A client that must sign its authorization requests must send the parameter 'request'",
    fix: "Send the parameters as a signed request object.",
    holds: ({ client, signed }: DeliveredRequest) => signed || !client.requireSignedRequest,
  },
});

/** Checks that a client pushed or signed its request if it must. */
export function checkDelivery(apply: ApplyRule, client: Client, delivery: RequestDelivery): void {
  apply(deliveryRules.pushed, { client, ...delivery });
  apply(deliveryRules.signed, { client, ...delivery });
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

/** Returns why verified claims are invalid, or undefined (RFC 9101, sections 4 and 6.3). */
export function requestObjectProblem(
  claims: JwtClaims,
  { clientId, issuer, needsTimes, now }: {
    clientId: string;
    /** The identifier of this server. */
    issuer: string;
    /** Whether `nbf` and `exp` are required (FAPI 2.0 Message Signing, section 5.3.1). */
    needsTimes: boolean;
    /** In seconds. */
    now: number;
  },
): string | undefined {
  const { client_id, iss, sub, aud, nbf, exp } = claims;
  if ("request" in claims || "request_uri" in claims) return "it refers to another request object";
  if (client_id !== clientId) return "its 'client_id' is not that of the request";
  if (iss !== undefined && iss !== clientId) return "its 'iss' is not the client_id";
  // Otherwise it could be replayed as a client assertion (RFC 9101, section 10.8).
  if (sub === clientId) return "its 'sub' is the client_id";
  if (![aud].flat().includes(issuer)) return `its 'aud' is not '${issuer}'`;
  if (needsTimes && nbf === undefined) return "it has no 'nbf'";
  if (Number(nbf) < now - maxObjectLifetime) return "its 'nbf' is more than an hour ago";
  if (needsTimes && Number(exp) > Number(nbf) + maxObjectLifetime) {
    return "its 'exp' is more than an hour after its 'nbf'";
  }
  return jwtTimesProblem(claims, now, { needsExp: needsTimes, maxLifetime: maxObjectLifetime });
}

/** Returns the parameters of a request object, which are the only ones (RFC 9101, section 6.3). */
export function requestObjectParameters(claims: JwtClaims): FormParameters {
  const entries = Object.entries(claims).filter(([name, value]) =>
    !jwtClaims.includes(name) && value !== null
  );
  return toParameters(
    entries.flatMap(([name, value]) =>
      parameterValues(name, value).map((text) => [name, text] as const)
    ),
  );
}

/**
 * Turns lists of strings into repeated parameters, other JSON into text (RFC 9101, section 4). Only
 * parameters that may be repeated may be lists (RFC 8707, section 2): for any other one, a list of
 * one counts as repeated, too.
 */
function parameterValues(name: string, value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (!isListOfTexts(value)) return [JSON.stringify(value)];
  // Two empty values: an empty list counts as repeated, too.
  return mayBeRepeated(name) ? value : [...value, "", ""];
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
