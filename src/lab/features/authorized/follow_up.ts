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

type RequestMembers = Readonly<Record<string, string>>;

/** The parameters of each request in the role of the client, once its token is there. */
const membersOf: Readonly<
  Record<Exclude<FollowUpName, "userinfo">, (facts: FollowUpFacts) => RequestMembers | undefined>
> = {
  exchange: ({ flow: { redirectUri, codeVerifier }, code }) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    ...codeVerifier !== undefined && { code_verifier: codeVerifier },
  }),
  refresh: ({ refreshToken }) =>
    refreshToken === undefined
      ? undefined
      : { grant_type: "refresh_token", refresh_token: refreshToken },
  introspect: ({ accessToken }) => tokenMember(accessToken),
  revoke: ({ accessToken, refreshToken }) => tokenMember(refreshToken ?? accessToken),
};

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
  const { flow, client, introspector, accessToken } = facts;
  const url = findFollowUpUrl(source, name);
  if (url === undefined) return undefined;
  // A proof binds what is issued, and shows who presents a token. The others do neither.
  const usesDpop = flow.usesDpop && name !== "introspect" && name !== "revoke";
  if (name === "userinfo") {
    if (accessToken === undefined) return undefined;
    return await tokenBearingRequest(source.context, url, { accessToken, usesDpop });
  }
  const sender = name === "introspect" ? introspector : client;
  const members = membersOf[name](facts);
  if (!sender || !members) return undefined;
  return await roleRequest(source, sender, { endpoint: fields[name], members, usesDpop });
}

function tokenMember(token: string | undefined): RequestMembers | undefined {
  return token === undefined ? undefined : { token };
}
