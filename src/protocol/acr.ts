import type { Client } from "../model/client.ts";
import type { ClaimsRequest } from "./claims_request.ts";

/** How strong a sign-in a client wants, by Authentication Context Class References (OpenID Connect Core, section 5.5.1.1). */
export interface RequestedAcr {
  /** In the order of preference. */
  values: string[];
  /** Whether it wants no answer otherwise. */
  essential: boolean;
}

/** An essential claim says more than the parameter, and both more than what the client registered. */
export function readRequestedAcr(
  acrValues: string | undefined,
  claims: ClaimsRequest | undefined,
  client: Client,
): RequestedAcr | undefined {
  const claim = claims?.idToken.acr;
  const named = claim?.values?.filter((value) => typeof value === "string");
  if (claim?.essential && named) return { values: named, essential: true };
  const values = acrValues?.split(" ").filter((value) => value !== "") ?? named ??
    client.defaultAcrValues;
  return values.length > 0 ? { values, essential: false } : undefined;
}

/** Those of the wanted values that this server can say. */
export function attainableValues(
  requested: RequestedAcr | undefined,
  known: readonly string[],
): string[] {
  return requested?.values.filter((value) => known.includes(value)) ?? [];
}

/** The wanted value that a sign-in satisfies. The known ones stand in the order of strength, and a stronger sign-in will do. */
export function satisfiedAcr(
  requested: RequestedAcr | undefined,
  reached: string | undefined,
  known: readonly string[],
): string | undefined {
  if (reached === undefined) return undefined;
  return requested?.values.find((value) => value === reached || isWeaker(value, reached, known));
}

function isWeaker(value: string, reached: string, known: readonly string[]): boolean {
  return known.includes(value) && known.indexOf(value) < known.indexOf(reached);
}
