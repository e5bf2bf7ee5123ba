import { authenticationOf } from "../../server/config/derived_client_settings.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import type { StartedFlow } from "../lab_server/started_flow.ts";
import { roleProblem, type RoleRequest, roleRequest, tokenBearingRequest } from "./role_request.ts";

/** The requests that follow an authorization response, in the order in which they make sense. */
export const followUps = ["exchange", "userinfo", "refresh", "introspect", "revoke"] as const;

/** The name of such a request. */
export type FollowUpName = (typeof followUps)[number];

/** What such a request is made of. */
export interface FollowUpFacts {
  flow: StartedFlow;
  client: ClientConfig;
  /** The client that introspects: a public one may not (RFC 7662, section 2.1). */
  introspector?: ClientConfig | undefined;
  code: string;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** Reads the name of a follow-up from a form. */
export function followUpNamed(name: string | null): FollowUpName | undefined {
  return followUps.find((each) => each === name);
}

/**
 * Returns the client that may introspect the tokens of a client: itself, or one that may see all.
 */
export function introspectorFor(
  client: ClientConfig,
  clients: readonly ClientConfig[],
): ClientConfig | undefined {
  const candidates = [client, ...clients.filter(({ introspect }) => introspect === "any")];
  return candidates.find((each) =>
    !authenticationOf(each).includes("none") && roleProblem(each) === undefined
  );
}

/** Returns the request, or undefined while the token that it needs is missing. */
export async function followUpRequest(
  ctx: Context,
  name: FollowUpName,
  facts: FollowUpFacts,
): Promise<RoleRequest | undefined> {
  const { flow: { usesDpop }, client, introspector, accessToken, refreshToken } = facts;
  switch (name) {
    case "exchange":
      return await exchangeRequest(ctx, facts);
    case "userinfo":
      return accessToken === undefined || ctx.metadata().userinfo_endpoint === undefined
        ? undefined
        : await tokenBearingRequest(ctx, "userinfo_endpoint", { accessToken, usesDpop });
    case "refresh":
      return refreshToken === undefined
        ? undefined
        : await refreshRequest(ctx, facts, refreshToken);
    case "introspect":
      return await tokenRequestOf(ctx, introspector, "introspection_endpoint", accessToken);
    case "revoke":
      return await tokenRequestOf(ctx, client, "revocation_endpoint", refreshToken ?? accessToken);
  }
}

async function exchangeRequest(ctx: Context, facts: FollowUpFacts): Promise<RoleRequest> {
  const { flow: { redirectUri, codeVerifier, usesDpop }, client, code } = facts;
  return await roleRequest(ctx, client, {
    endpoint: "token_endpoint",
    members: {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      ...codeVerifier !== undefined && { code_verifier: codeVerifier },
    },
    usesDpop,
  });
}

async function refreshRequest(
  ctx: Context,
  { flow: { usesDpop }, client }: FollowUpFacts,
  refresh_token: string,
): Promise<RoleRequest> {
  const members = { grant_type: "refresh_token", refresh_token };
  return await roleRequest(ctx, client, { endpoint: "token_endpoint", members, usesDpop });
}

/** Returns a request that asks about a token, or ends it. */
async function tokenRequestOf(
  ctx: Context,
  client: ClientConfig | undefined,
  endpoint: "introspection_endpoint" | "revocation_endpoint",
  token: string | undefined,
): Promise<RoleRequest | undefined> {
  if (!client || token === undefined) return undefined;
  return await roleRequest(ctx, client, { endpoint, members: { token } });
}
