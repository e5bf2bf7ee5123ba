import type { TrustedIssuer } from "../protocol/bearer_assertion.ts";
import { jwtBearerGrantType } from "../protocol/grant_types.ts";
import { checkKeySet } from "./check_client_authentication.ts";
import type { Offer } from "./offer.ts";
import { reportBelow, type ReportProblem, reportUnlisted } from "./problems.ts";

/** Checks the external issuers: each of them can speak for users of this server. */
export function checkTrustedIssuers(
  issuer: string,
  trusted: ReadonlyArray<{ value: TrustedIssuer; path: string }>,
  server: Offer,
  report: ReportProblem,
): void {
  const acceptsAssertions = server.grantTypes.includes(jwtBearerGrantType);
  if (acceptsAssertions && trusted.length === 0 && !server.hasWorkloads) {
    report("trustedIssuers", "is empty, but grantTypes contains the JWT bearer grant");
  }
  if (!acceptsAssertions && trusted.length > 0) {
    report("trustedIssuers", "is set, but grantTypes does not contain the JWT bearer grant");
  }
  for (const { value, path } of trusted) {
    const reportMember = reportBelow(path, report);
    if (value.issuer === issuer) reportMember("issuer", "is this server itself");
    reportUnlisted(reportMember, "scopes", value.scopes, {
      among: server.scopes,
      why: ", which is not a scope of the server",
    });
    if (!value.jwks && !value.jwksUri) {
      reportMember("jwks", "is missing; set jwks or jwksUri");
    }
    checkKeySet(value, reportMember);
  }
}
