import { authenticationOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { EndpointField } from "../../../server/model/server_metadata.ts";
import {
  roleProblem,
  type RoleRequest,
  roleRequest,
  tokenBearingRequest,
} from "../../client_role/role_request.ts";
import {
  type EndpointSource,
  findEndpointUrl,
  listProviderApis,
} from "../../dialect/lab_endpoints.ts";
import type { StartedFlow } from "../../lab_server/started_flow.ts";

/** The requests that follow an authorization response, in the order in which they make sense. */
export const followUps = ["exchange", "userinfo", "refresh", "introspect", "revoke"] as const;

/** The name of such a request. */
export type FollowUpName = (typeof followUps)[number];

const fields: Readonly<Record<FollowUpName, EndpointField>> = {
  exchange: "token_endpoint",
  userinfo: "userinfo_endpoint",
  refresh: "token_endpoint",
  introspect: "introspection_endpoint",
  revoke: "revocation_endpoint",
};

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

/**
 * Finds where a request goes; undefined if the lab, or the provider that it plays, has no such
 * place.
 */
export function findFollowUpUrl(source: EndpointSource, name: FollowUpName): string | undefined {
  const url = findEndpointUrl(source, fields[name]);
  if (url !== undefined || name !== "userinfo") return url;
  return listProviderApis(source)[0]?.url;
}

/** Returns the request, or undefined while the token that it needs is missing. */
export async function followUpRequest(
  source: EndpointSource,
  name: FollowUpName,
  facts: FollowUpFacts,
): Promise<RoleRequest | undefined> {
  const { flow: { usesDpop }, client, introspector, accessToken, refreshToken } = facts;
  const url = findFollowUpUrl(source, name);
  if (url === undefined) return undefined;
  switch (name) {
    case "exchange":
      return await exchangeRequest(source, facts);
    case "userinfo":
      return accessToken === undefined
        ? undefined
        : await tokenBearingRequest(source.context, url, { accessToken, usesDpop });
    case "refresh":
      return refreshToken === undefined
        ? undefined
        : await refreshRequest(source, facts, refreshToken);
    case "introspect":
      return await tokenRequestOf(source, introspector, fields.introspect, accessToken);
    case "revoke":
      return await tokenRequestOf(source, client, fields.revoke, refreshToken ?? accessToken);
  }
}

async function exchangeRequest(
  source: EndpointSource,
  facts: FollowUpFacts,
): Promise<RoleRequest> {
  const { flow: { redirectUri, codeVerifier, usesDpop }, client, code } = facts;
  return await roleRequest(source, client, {
    endpoint: fields.exchange,
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
  source: EndpointSource,
  { flow: { usesDpop }, client }: FollowUpFacts,
  refresh_token: string,
): Promise<RoleRequest> {
  const members = { grant_type: "refresh_token", refresh_token };
  return await roleRequest(source, client, { endpoint: fields.refresh, members, usesDpop });
}

/** Returns a request that asks about a token, or ends it. */
async function tokenRequestOf(
  source: EndpointSource,
  client: ClientConfig | undefined,
  endpoint: EndpointField,
  token: string | undefined,
): Promise<RoleRequest | undefined> {
  if (!client || token === undefined) return undefined;
  return await roleRequest(source, client, { endpoint, members: { token } });
}
