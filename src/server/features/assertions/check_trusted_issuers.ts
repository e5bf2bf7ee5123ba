import { checkKeySet } from "../../config/check_client_authentication.ts";
import type { FilledConfig } from "../../config/config_defaults.ts";
import type { Offer } from "../../config/offer.ts";
import {
  reportBelow,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../config/problems.ts";
import { jwtBearerGrantType } from "../../protocol/grant_types.ts";
import { readIssuers } from "./config.ts";

/** Checks the external issuers: each of them can speak for users of this server. */
export function checkTrustedIssuers(
  config: FilledConfig,
  server: Offer,
  report: ReportProblem,
): void {
  const { trustedIssuers: trusted, workloadIssuers } = readIssuers(config);
  reportDuplicates(report, "trustedIssuers", trusted.map(({ issuer }) => issuer));
  const acceptsAssertions = server.grantTypes.includes(jwtBearerGrantType);
  if (acceptsAssertions && trusted.length === 0 && workloadIssuers.length === 0) {
    report("trustedIssuers", "is empty, but grantTypes contains the JWT bearer grant");
  }
  if (!acceptsAssertions && trusted.length > 0) {
    report("trustedIssuers", "is set, but grantTypes does not contain the JWT bearer grant");
  }
  for (const [at, value] of trusted.entries()) {
    const reportMember = reportBelow(`trustedIssuers[${at}]`, report);
    if (value.issuer === config.issuer) reportMember("issuer", "is this server itself");
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
