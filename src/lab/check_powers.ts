import { collectProblems } from "../config/problems.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { showValue } from "../util/show_value.ts";
import { isWebOrigin } from "../util/uri.ts";
import type { LabConfig } from "./lab_server.ts";
import { labResponseTypes } from "./response_types.ts";

/** The powers of a lab, and what they refer to. */
export interface PowersUnderCheck extends LabConfig {
  userNames: readonly string[];
}

/** Checks the powers of a lab. Throws a `ConfigError` with every problem. */
export function checkPowers(powers: PowersUnderCheck): void {
  const { signIn, consent, unknownClientPkce, profile = "oauth-2.1", userNames } = powers;
  const { report, throwAny } = collectProblems();
  if (signIn !== undefined && !userNames.includes(signIn)) {
    report(
      "signIn",
      `names '${showValue(signIn)}', which is not a user; ${listed("users", userNames)}`,
    );
  }
  reportChoice("consent", consent, ["ask", "skip"]);
  reportChoice("unknownClientPkce", unknownClientPkce, ["required", "optional"]);
  if (unknownClientPkce === "optional" && profile !== "oauth-2.1") {
    report("unknownClientPkce", `cannot be optional: the profile ${profile} requires PKCE`);
  }
  checkResponseTypes();
  checkDrillOrigins();
  throwAny("start the lab");

  function reportChoice(path: string, value: unknown, choices: readonly string[]): void {
    if (value === undefined || choices.some((choice) => choice === value)) return;
    report(path, `must be one of: ${choices.join(", ")}`);
  }

  function checkDrillOrigins(): void {
    const origins: unknown = powers.drillOrigins ?? [];
    if (!Array.isArray(origins)) return report("drillOrigins", "must be a list of origins");
    for (const origin of origins.filter((each) => !isWebOrigin(each))) {
      report("drillOrigins", `contains '${showValue(origin)}'; an origin is like http://app:3000`);
    }
  }

  function checkResponseTypes(): void {
    const types: unknown = powers.responseTypes ?? ["code"];
    if (!Array.isArray(types)) return report("responseTypes", "must be a list of strings");
    for (const type of types) {
      if (!labResponseTypes.includes(type)) {
        const choices = labResponseTypes.map((each) => `'${each}'`).join(", ");
        report(
          "responseTypes",
          `contains '${showValue(type)}'; a lab has ${choices}, and no access tokens`,
        );
      } else if (type !== "code" && profile !== "oauth-2.1") {
        report(
          "responseTypes",
          `contains '${showValue(type)}', which the profile ${profile} forbids`,
        );
      }
    }
  }
}

/** Returns the names of the leniencies that are on, as the report lists them. */
export function leniencyNames(
  { anyClient, unknownClientPkce, anyScope, responseTypes = [] }: LabConfig,
): string[] {
  const types = responseTypes.filter((type) => type !== "code");
  return [
    ...anyClient ? ["anyClient"] : [],
    ...unknownClientPkce === "optional" ? ["unknownClientPkce: optional"] : [],
    ...anyScope ? ["anyScope"] : [],
    ...types.map((type) => `responseTypes: ${type}`),
  ];
}

/** Returns the names of the leniencies that clients have because their owner configured them. */
export function clientLeniencyNames(clients: readonly ClientConfig[]): string[] {
  return clients.filter(usesHttp).map(({ id }) => `client ${id}: http redirect URIs`);
}

/** Whether a client receives responses over http from beyond this machine. */
export function usesHttp({ redirectUris = [] }: ClientConfig): boolean {
  return redirectUris.some((uri) => redirectUriProblem(uri) !== undefined);
}

function listed(what: string, names: readonly string[]): string {
  return names.length > 0 ? `the ${what} are: ${names.join(", ")}` : `there are no ${what}`;
}
