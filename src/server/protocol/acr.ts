import type { Client } from "../model/client.ts";
import type { ClaimsRequest } from "./claims_request.ts";
import { ruleSet } from "./rule.ts";

/** The acr values that a client requests (OpenID Connect Core, section 5.5.1.1). */
export interface RequestedAcr {
  /** In order of preference. */
  values: string[];
  /** Whether the request must fail if none of them is reached. */
  essential: boolean;
}

/** The requested acr values, and what the server or the sign-in offers. */
interface AcrPair {
  requested: RequestedAcr | undefined;
  supported: readonly string[];
  /** The acr of the sign-in. */
  reached?: string | undefined;
}

const aboutAcr = {
  see: "OpenID Connect Core, section 5.5.1.1",
  parameter: "claims",
  error: "unmet_authentication_requirements",
} as const;

export const acrRules = ruleSet("acr", aboutAcr, {
  attainable: {
    title: "The server must support one of the acr values that the request marks as essential",
    fix: "Request one of the acr_values_supported of the metadata, or don't mark it as essential.",
    holds: ({ requested, supported }: AcrPair) =>
      !requested?.essential || attainableAcrValues(requested, supported).length > 0,
    expected: ({ supported }) => supported.join(" or ") || "no acr value",
    received: ({ requested }) => requested?.values.join(" ") ?? "none",
  },
  reached: {
    title: "The sign-in must reach the acr that the request marks as essential",
    fix: "Sign in with a stronger method, or don't mark the acr as essential.",
    holds: ({ requested, reached, supported }: AcrPair) =>
      !requested?.essential || !isTooWeak(reached, requested, supported),
    expected: ({ requested }) => requested?.values.join(" or ") ?? "any",
    received: ({ reached }) => reached ?? "none",
  },
});

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

/** The `acr` of a sign-in that resists phishing (OpenID Connect EAP ACR Values 1.0, section 2). */
export const phishingResistant = "phr";

/**
 * Returns the `acr` of a sign-in by password: the weakest that does not claim to resist phishing.
 */
export function acrOfPassword(supported: readonly string[]): string | undefined {
  return supported.find((value) => value !== phishingResistant);
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
  if (reached === undefined) return undefined;
  return requested?.values.find((value) =>
    value === reached || isWeaker(value, reached, supported)
  );
}

function isWeaker(value: string, reached: string, supported: readonly string[]): boolean {
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
