import { intersectScope } from "../../server/protocol/scope.ts";
import { ownMember } from "../../server/util/values/own_member.ts";
import type { Dialect } from "./dialect.ts";
import { withUserinfo } from "./userinfo_audience.ts";

/** Parameters that hold an access token. */
const tokenParameters = ["access_token", "token", "subject_token"];

/** How the parameters of a request become those that the server reads. */
export interface ParameterRules {
  scopeSeparator: NonNullable<Dialect["scopeSeparator"]>;
  /** The scopes to keep; undefined if all are kept. */
  knownScopes: readonly string[] | undefined;
  /** The audience that stands for userinfo, if requests for an API imply it. */
  userinfo: string | undefined;
  /** Names of parameters, and those that the server knows instead. */
  renamed: Readonly<Record<string, string>>;
  /** Returns the access token that the server issued, for one that a client presents. */
  originalOf(token: string): string;
}

/** Returns the parameters that the server reads. */
export function translateParameters(
  parameters: URLSearchParams,
  rules: ParameterRules,
): URLSearchParams {
  const changed = new URLSearchParams(
    [...parameters].map(([name, value]): [string, string] => [
      ownMember(rules.renamed, name) ?? name,
      translateValue(name, value, rules),
    ]),
  );
  return withUserinfo(changed, rules.userinfo);
}

function translateValue(
  name: string,
  value: string,
  { scopeSeparator, knownScopes, originalOf }: ParameterRules,
): string {
  if (tokenParameters.includes(name)) return originalOf(value);
  if (name !== "scope") return value;
  const scope = withSpaces(value, scopeSeparator);
  return knownScopes ? intersectScope(scope, knownScopes) ?? scope : scope;
}

function withSpaces(scope: string, separator: string): string {
  if (separator === " ") return scope;
  return scope.split(new RegExp(`[ ${separator}]+`)).filter((token) => token !== "").join(" ");
}
