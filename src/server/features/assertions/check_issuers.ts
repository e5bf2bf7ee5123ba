import { checkKeySet } from "../../config/check_client_authentication.ts";
import {
  reportBelow,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../config/problems.ts";
import type { Settings } from "../../config/settings.ts";
import { isApiScope } from "../../model/claims.ts";
import { jwtBearerGrantType } from "../../protocol/grant_types.ts";
import { findResources } from "../../protocol/resource.ts";
import { isSecureUrl, isWebUrl } from "../../util/addresses/uri.ts";
import { isObject } from "../../util/text/json.ts";
import type { AssertionConfig, WorkloadIssuerConfig, WorkloadRuleConfig } from "./config.ts";
import { identifyWorkload } from "./workload.ts";

/** Checks the issuers whose assertions a server accepts: about users, and about workloads. */
export function checkIssuers(
  own: Required<AssertionConfig>,
  settings: Settings,
  report: ReportProblem,
): void {
  checkTrustedIssuers(own, settings, report);
  checkWorkloads(own, settings, report);
}

/** Each of them can speak for users of this server. */
function checkTrustedIssuers(
  { trustedIssuers: trusted, workloadIssuers }: Required<AssertionConfig>,
  { issuer, grantTypes, scopes }: Settings,
  report: ReportProblem,
): void {
  reportDuplicates(report, "trustedIssuers", trusted.map(({ issuer }) => issuer));
  const acceptsAssertions = grantTypes.includes(jwtBearerGrantType);
  if (acceptsAssertions && trusted.length === 0 && workloadIssuers.length === 0) {
    report("trustedIssuers", "is empty, but grantTypes contains the JWT bearer grant");
  }
  if (!acceptsAssertions && trusted.length > 0) {
    report("trustedIssuers", "is set, but grantTypes does not contain the JWT bearer grant");
  }
  for (const [at, value] of trusted.entries()) {
    const reportMember = reportBelow(`trustedIssuers[${at}]`, report);
    if (value.issuer === issuer) reportMember("issuer", "is this server itself");
    reportUnlisted(reportMember, "scopes", value.scopes, {
      among: [...scopes.keys()],
      why: ", which is not a scope of the server",
    });
    if (!value.jwks && !value.jwksUri) {
      reportMember("jwks", "is missing; set jwks or jwksUri");
    }
    checkKeySet(value, reportMember);
  }
}

/** Reports what would let others than the intended workloads in. */
function checkWorkloads(
  own: Required<AssertionConfig>,
  settings: Settings,
  report: ReportProblem,
): void {
  const { workloadIssuers: entries } = own;
  if (entries.length > 0 && !settings.grantTypes.includes(jwtBearerGrantType)) {
    report("workloadIssuers", "is set, but grantTypes does not contain the JWT bearer grant");
  }
  const issuers = entries.map(({ issuer }) => issuer);
  reportDuplicates(report, "the 'issuer' of workloadIssuers", issuers);
  reportDuplicates(report, "the 'name' of workloadIssuers", entries.map(({ name }) => name));
  for (const [index, value] of entries.entries()) {
    const path = `workloadIssuers[${index}]`;
    checkIssuer(own, settings, value, reportBelow(path, report));
    for (const [at, rule] of value.workloads.entries()) {
      checkRule(settings, rule, reportBelow(`${path}.workloads[${at}]`, report));
    }
  }
}

function checkIssuer(
  { trustedIssuers }: Required<AssertionConfig>,
  settings: Settings,
  value: WorkloadIssuerConfig,
  report: ReportProblem,
): void {
  const { name, issuer, jwks, jwksUri, workloads } = value;
  if (!/^[a-z0-9-]+$/.test(name)) report("name", "must be small letters, digits and hyphens");
  if (issuer === settings.issuer) report("issuer", "is this server itself");
  if (trustedIssuers.some((trusted) => trusted.issuer === issuer)) {
    report("issuer", "is among trustedIssuers, too; an issuer of workloads cannot speak for users");
  }
  if (workloads.length === 0) report("workloads", "is empty, so that no token could be issued");
  checkKeySet(value, report);
  if (jwks || (jwksUri && isAllowedUrl(settings, jwksUri))) return;
  if (jwksUri) report("jwksUri", "must use https");
  else if (!isWebUrl(issuer)) {
    report("jwksUri", "is missing, and the issuer is no URL; set jwks or jwksUri");
  } else if (!isAllowedUrl(settings, issuer)) {
    report("issuer", "must use https, because it leads to its keys");
  }
}

/** In a network of containers there is often no https. */
function isAllowedUrl({ insecure }: Settings, url: string): boolean {
  return isSecureUrl(url) || insecure.httpIssuer;
}

function checkRule(
  settings: Settings,
  { claims, resources, scopes }: WorkloadRuleConfig,
  report: ReportProblem,
): void {
  checkClaims(claims, "claims", report);
  if (!identifyWorkload(claims)) {
    report(
      "claims",
      "has no claim that says who the workload is: 'sub', 'repository_id', 'project_id', " +
        "or the namespace and the serviceaccount.name in 'kubernetes.io'",
    );
  }
  if (resources.length === 0) report("resources", "is empty, so that no token could be issued");
  if (scopes.length === 0) report("scopes", "is empty, so that no token could be issued");
  const { resources: accepted } = settings;
  const unknown = resources.find((uri) =>
    accepted !== "any" && findResources([uri], accepted).length === 0
  );
  if (unknown) report("resources", `contains '${unknown}', which is not a resource of the server`);
  reportUnlisted(report, "scopes", scopes, {
    among: [...settings.scopes.keys()].filter((token) => isApiScope(token, settings)),
    why: ", which is not a scope of the server for an API",
  });
}

/** Every condition is an exact value. */
function checkClaims(claims: object, path: string, report: ReportProblem): void {
  for (const [name, value] of Object.entries(claims)) {
    const at = `${path}.${name}`;
    if (isObject(value)) checkClaims(value, at, report);
    else if (!["string", "number", "boolean"].includes(typeof value) || value === "") {
      report(at, "must be the exact value: a text, a number, true or false");
    }
  }
}
