import { jwtBearerGrant, type TrustedIssuer } from "../protocol/bearer_assertion.ts";
import { clientKeyProblem } from "../protocol/client_key.ts";
import { reportBeyond } from "./problems.ts";
import type { ReportProblem } from "./shape.ts";

/** Tells what is wrong with the issuers whose word is taken: each of them can speak for people of ours. */
export function checkTrustedIssuers(
  { issuer }: { issuer: string },
  trusted: ReadonlyArray<{ value: TrustedIssuer; path: string }>,
  offered: { grantTypes: readonly string[]; scopes: readonly string[] },
  report: ReportProblem,
): void {
  const isListed = offered.grantTypes.includes(jwtBearerGrant);
  if (isListed && trusted.length === 0) {
    report("trustedIssuers", "is empty, but the JWT bearer grant is among the grantTypes");
  }
  if (!isListed && trusted.length > 0) {
    report("trustedIssuers", "stands there, but the JWT bearer grant is not among the grantTypes");
  }
  for (const { value, path } of trusted) {
    if (value.issuer === issuer) report(`${path}.issuer`, "is this server itself");
    reportBeyond(report, `${path}.scopes`, value.scopes, {
      among: offered.scopes,
      why: ", which is no scope of the server",
    });
    checkKeys(value, path, report);
  }
}

function checkKeys({ jwks, jwksUri }: TrustedIssuer, path: string, report: ReportProblem): void {
  if (!jwks && !jwksUri) {
    report(`${path}.jwks`, "is missing; give the keys of the issuer, or jwksUri");
  }
  if (jwks && jwksUri) report(`${path}.jwksUri`, "stands beside jwks; give one of them");
  jwks?.keys.forEach((key, at) => {
    const problem = clientKeyProblem(key);
    if (problem) report(`${path}.jwks.keys[${at}]`, problem);
  });
}
