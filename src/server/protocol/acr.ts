import type { Client } from "../model/client.ts";
import type { ClaimsRequest } from "./claims_request.ts";

/** The acr values that a client requests (OpenID Connect Core, section 5.5.1.1). */
export interface RequestedAcr {
  /** In order of preference. */
  values: string[];
  /** Whether the request must fail if none of them is reached. */
  essential: boolean;
}

/**
 * Reads the requested acr. An essential claim takes precedence over `acr_values`, and both over the
 * client's default.
 */
export function readRequestedAcr(
  acrValues: string | undefined,
  claims: ClaimsRequest | undefined,
  client: Client,
): RequestedAcr | undefined {
  const claim = claims?.idToken.acr;
  const claimValues = claim?.values?.filter((value) => typeof value === "string");
  if (claim?.essential && claimValues) return { values: claimValues, essential: true };
  const values = acrValues?.split(" ").filter((value) => value !== "") ?? claimValues ??
    client.defaultAcrValues;
  return values.length > 0 ? { values, essential: false } : undefined;
}

/** Returns the requested values that this server supports. */
export function attainableAcrValues(
  requested: RequestedAcr | undefined,
  supported: readonly string[],
): string[] {
  return requested?.values.filter((value) => supported.includes(value)) ?? [];
}

/**
 * Returns the requested value that a sign-in satisfies. The supported values are ordered from weak
 * to strong, and a stronger sign-in satisfies a weaker value.
 */
export function satisfiedAcr(
  requested: RequestedAcr | undefined,
  reached: string | undefined,
  supported: readonly string[],
): string | undefined {
  // Untestable (the condition became false): no text equals undefined, and it is not supported.
  if (reached === undefined) return undefined;
  return requested?.values.find((value) =>
    value === reached || isWeaker(value, reached, supported)
  );
}

function isWeaker(value: string, reached: string, supported: readonly string[]): boolean {
  // Untestable (< became <=): a value that equals the reached one has satisfied it before.
  return supported.includes(value) && supported.indexOf(value) < supported.indexOf(reached);
}

/** A new sign-in helps only if it can reach a requested value (RFC 9470, section 5). */
export function isTooWeak(
  acr: string | undefined,
  requested: RequestedAcr | undefined,
  supported: readonly string[],
): boolean {
  return attainableAcrValues(requested, supported).length > 0 &&
    satisfiedAcr(requested, acr, supported) === undefined;
}
