import { prefers } from "../../http/accept.ts";
import { jsonResponse, jwtResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf } from "../../issuer/active_features.ts";
import { authenticateRequest } from "../../issuer/clients/authenticate_client.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { signJwt } from "../../issuer/keys/own_jwt.ts";
import { numericDate } from "../../issuer/time.ts";
import { type ActiveToken, findActiveToken } from "../../issuer/tokens/active_tokens.ts";
import { describeUnusableToken } from "../../issuer/tokens/unusable_token.ts";
import { isMeantFor, listAudiences } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { basicChallenge, requiresCredentials } from "../../protocol/client_rules.ts";
import { requiresParameter } from "../../protocol/form_parameters.ts";
import { noteRule, requirePresent, ruleSet } from "../../protocol/rule.ts";

/**
 * The media type of a signed response; its `typ` is the same without "application/" (RFC 9701,
 * section 5).
 */
const signedType = "application/token-introspection+jwt";

/** A client, and the token that it asks about. */
interface IntrospectedToken {
  client: Client;
  token: ActiveToken | undefined;
  /** What came, unless it is an active token. */
  problem: string | undefined;
}

const about = {
  see: "RFC 7662, section 2.1",
  parameter: "token",
  error: "invalid_request",
} as const;

export const introspectionRules = ruleSet("introspection", about, {
  // Here, the client has yet to authenticate (RFC 7662, section 2.3).
  client: {
    ...requiresCredentials("introspection"),
    error: "invalid_client",
    details: { challenges: [basicChallenge] },
  },
  token: requiresParameter("token"),
  // No error follows from it: the response is the same for every token that a client may not know.
  active: {
    see: "RFC 7662, section 2.2",
    title: "The token must be active, and one that the client may know about",
    fix: "Introspect with a client of the token's audience: one that has it in its 'resources'.",
    holds: ({ client, token }: IntrospectedToken) => token !== undefined && mayKnow(client, token),
    expected: ({ client: { id, resources } }) =>
      [`an active token of the client '${id}'`, ...resources.map((each) => `for ${each}`)].join(
        " or ",
      ),
    received: ({ token, problem }) => {
      if (!token) return problem;
      if (token.kind === "refresh") return `a refresh token of the client '${token.client.id}'`;
      return `one issued to '${token.client.id}', for ${listAudiences(token.claims).join(", ")}`;
    },
  },
});

/** Describes a token to a client that may know about it (RFC 7662). */
export async function introspect(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  if (!ctx.hooks.admits?.publicIntrospection) ctx.apply(introspectionRules.client, client);
  const token = requirePresent(ctx.apply, introspectionRules.token, parameters.get("token"));
  const activeToken = await findActiveToken(ctx, token);
  if (ctx.settings.hints) {
    const problem = activeToken ? undefined : await describeUnusableToken(ctx, token);
    noteRule(ctx.apply, introspectionRules.active, { client, token: activeToken, problem });
  }
  const body = activeToken && mayKnow(client, activeToken)
    ? describeToken(ctx, activeToken)
    : { active: false };
  if (!prefers(ctx.request.headers, signedType, "application/json")) return jsonResponse(body);
  return jwtResponse(await signIntrospection(ctx, client, body), [], signedType);
}

/**
 * Signs a response. Without `sub` and `exp` at the top level it cannot pass for a token itself (RFC
 * 9701, section 8.1).
 */
async function signIntrospection(ctx: Context, client: Client, body: object): Promise<string> {
  const typ = signedType.replace("application/", "");
  const claims = {
    iss: ctx.settings.issuer,
    aud: client.id,
    iat: numericDate(ctx),
    token_introspection: body,
  };
  const jwt = await signJwt(ctx, client.introspectionAlg ?? ctx.settings.idTokenAlg, typ, claims);
  return await featuresOf(ctx).envelope?.seal(ctx, client, "introspection", () => jwt) ?? jwt;
}

/**
 * To any other client a token is inactive. Otherwise introspection would open every token (RFC
 * 7662, section 4).
 */
function mayKnow(client: Client, token: ActiveToken): boolean {
  if (client.introspect === "any" || token.client.id === client.id) return true;
  return token.kind === "access" &&
    client.resources.some((resource) => isMeantFor(token.claims, resource));
}

/**
 * A client that knows a user by a pairwise subject, its own or that of an exchanged token, must not
 * learn the name that others share.
 */
function usernameOf({ client, active }: ActiveToken): string | undefined {
  const isShared = client.subjectType === "public" && active?.client.subjectType === "public";
  return isShared ? active.user.name : undefined;
}

function describeToken(ctx: Context, token: ActiveToken): object {
  const username = usernameOf(token);
  if (token.kind === "access") {
    return {
      ...token.claims,
      exchanged_by: undefined,
      active: true,
      token_type: token.claims.cnf?.jkt ? "DPoP" : "Bearer",
      username,
    };
  }
  const { authorization } = token.active;
  return {
    active: true,
    // An API must not mistake it for an access token.
    token_use: "refresh_token",
    iss: ctx.settings.issuer,
    sub: authorization.subject,
    client_id: token.client.id,
    scope: authorization.scope.join(" "),
    authorization_details: authorization.authorizationDetails,
    exp: Math.floor(token.expiresAt / 1000),
    username,
  };
}
