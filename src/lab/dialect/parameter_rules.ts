import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { WireRequest } from "../recording/exchange.ts";
import type { Dialect } from "./dialect.ts";
import type { ParameterRules } from "./request_parameters.ts";
import { requestableIssuer } from "./userinfo_audience.ts";

/** Returns how the parameters of a request become those that the server reads. */
export async function parameterRules(
  ctx: Context,
  dialect: Dialect,
  { endpoint, client }: WireRequest,
): Promise<Omit<ParameterRules, "originalOf">> {
  const { issuer, resources } = ctx.settings;
  const { userinfoAudience, impliedScopes, clientSecretJwt } = dialect;
  return {
    scopeSeparator: dialect.scopeSeparator ?? " ",
    scopeSynonyms: dialect.clientRequests?.scopeSynonyms ?? {},
    knownScopes: await knownScopes(ctx, dialect, client),
    impliedScopes: endpoint === "authorize" ? impliedScopes : undefined,
    renamed: endpoint === "logout" ? renamedByLogout(dialect) : {},
    hasSecretJwt: clientSecretJwt !== undefined,
    userinfo: userinfoAudience === undefined ? undefined : requestableIssuer(issuer, resources),
  };
}

/** Returns the scopes that remain in a request; undefined if none is left out. */
async function knownScopes(
  ctx: Context,
  { unknownScopes }: Dialect,
  client: string | undefined,
): Promise<readonly string[] | undefined> {
  if (unknownScopes !== "ignore" || client === undefined) return undefined;
  return (await findClient(ctx, client))?.scopes;
}

function renamedByLogout({ logout }: Dialect): Record<string, string> {
  const { redirectParameter: name } = logout ?? {};
  return name === undefined ? {} : { [name]: "post_logout_redirect_uri" };
}
