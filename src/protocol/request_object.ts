import { hour } from "../util/duration.ts";
import { type FormParameters, toParameters } from "./form_parameters.ts";
import { timesProblem } from "./jwt_times.ts";

/** The `typ` that a request object may have (RFC 9101, section 10.8). */
export const requestObjectTypes = [undefined, "JWT", "oauth-authz-req+jwt"];

/** What the claims of a request object are held against. */
export interface ExpectedRequestObject {
  clientId: string;
  issuer: string;
  /** Whether it must say when it begins and ends (FAPI 2.0 Message Signing, section 5.3.1). */
  needsTimes: boolean;
  /** In seconds. */
  now: number;
}

/** Says what is wrong with a request object whose signature is good, or nothing (RFC 9101, sections 4 and 6.3). */
export function requestObjectProblem(
  claims: Readonly<Record<string, unknown>>,
  rule: ExpectedRequestObject,
): string | undefined {
  const { clientId, issuer, needsTimes, now } = rule;
  const { client_id, iss, sub, aud, nbf, exp } = claims;
  if ("request" in claims || "request_uri" in claims) return "it points to another request object";
  if (client_id !== clientId) return "its 'client_id' is not that of the request";
  if (iss !== undefined && iss !== clientId) return "its 'iss' is not the client_id";
  // Else it could be sent as a client assertion (RFC 9101, section 10.8).
  if (sub === clientId) return "its 'sub' is the client_id";
  if (![aud].flat().includes(issuer)) return `its 'aud' is not '${issuer}'`;
  if (needsTimes && nbf === undefined) return "it has no 'nbf'";
  if (Number(nbf) < now - 1 * hour) return "its 'nbf' is more than an hour ago";
  if (needsTimes && Number(exp) > Number(nbf) + 1 * hour) {
    return "its 'exp' is more than an hour after its 'nbf'";
  }
  return timesProblem(claims, now, { needsExp: needsTimes, maxLifetime: 1 * hour });
}

/** What a JWT says about itself, and not of the request. */
const ownClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

/** The parameters that a request object holds: they alone count (RFC 9101, section 6.3). */
export function parametersOf(claims: Readonly<Record<string, unknown>>): FormParameters {
  const told = Object.entries(claims).filter(([name, value]) =>
    !ownClaims.includes(name) && value !== null
  );
  return toParameters(
    told.flatMap(([name, value]) => textsOf(value).map((text) => [name, text] as const)),
  );
}

/** A list of texts is a parameter that is repeated; whatever else is no text is sent as JSON (RFC 9101, section 4). */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((each) => typeof each === "string")
    ? value
    : [JSON.stringify(value)];
}
