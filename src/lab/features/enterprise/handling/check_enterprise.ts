import { jwtBearerGrantType } from "../../../../server/protocol/grant_types.ts";
import { demoScopes } from "../../../demo/demo_scopes.ts";
import type { LabConfig } from "../../../lab_server/lab_config.ts";
import { toScopes } from "../../../lab_server/lab_scopes.ts";
import { LabError } from "../../../util/lab_error.ts";
import { mcpScopes } from "./enterprise_names.ts";

/**
 * Checks that a lab can be part of an enterprise.
 *
 * @throws {LabError} A setting does not fit; the message lists every one.
 */
export function checkEnterprise(config: LabConfig): void {
  const problems = enterpriseProblems(config);
  if (problems.length === 0) return;
  throw new LabError(`Cannot open an enterprise: ${problems.join("; ")}.`);
}

function enterpriseProblems(config: LabConfig): string[] {
  const { profile = "oauth-2.1", grantTypes, scopes = demoScopes } = config;
  const played = (["provider", "providers", "dialect"] as const)
    .filter((name) => config[name] !== undefined);
  const known = Object.keys(toScopes(scopes) ?? {});
  const missing = mcpScopes.filter((token) => !known.includes(token));
  return [
    ...played.map((name) => `'${name}' cannot be combined with 'enterprise'`),
    ...profile === "fapi-2.0" ? ["the profile fapi-2.0 has no clients with a secret"] : [],
    ...missing.length > 0 ? [`the scopes of the lab lack ${missing.join(" and ")}`] : [],
    ...grantTypes?.includes(jwtBearerGrantType) === false
      ? [`'grantTypes' lacks ${jwtBearerGrantType}`]
      : [],
  ];
}
