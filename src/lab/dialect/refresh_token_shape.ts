import type { InternalServer } from "../../server/server.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import { readJwt } from "../recording/credentials.ts";
import {
  jsonOf,
  parameterOf,
  type WireRequest,
  type WireResponse,
  withJson,
} from "../recording/exchange.ts";
import { changePart, tokenIn } from "../responses/part.ts";
import { signJwt } from "../tokens/signed_tokens.ts";
import type { RefreshTokenRule } from "./response_settings.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

const refreshToken = tokenIn("refresh_token");
/** The header of refresh tokens that are JWTs. */
const header = { alg: "HS512", typ: "JWT" };

/** A token response, and what led to it. */
export interface GrantedTokens {
  request: WireRequest;
  response: WireResponse;
  /** The authorization request, if the lab has recorded it. */
  asked: WireRequest | undefined;
  /** The subject of the access token. */
  subject: string | undefined;
}

/** Decides which token responses keep their refresh token. `served` remembers who got one before. */
export function createRefreshTokenRule(
  rule: RefreshTokenRule,
  served: Map<string, true>,
): (granted: GrantedTokens) => WireResponse {
  return (granted) => {
    const { request, response } = granted;
    const hasToken = jsonOf(response)?.refresh_token !== undefined;
    if (!hasToken || request.form.get("grant_type") === "refresh_token") return response;
    const owner = `refresh token\n${request.client}\n${granted.subject}`;
    const isFirst = !served.has(owner);
    if (isAskedFor(rule, granted) && (isFirst || hasParameter(granted.asked, rule.again))) {
      served.set(owner, true);
      return response;
    }
    return withJson(response, ({ refresh_token: _, ...kept }) => kept);
  };
}

/**
 * Returns a token response whose refresh token is a JWT; its `jti` is the token that the server
 * knows. The signature only gives it its form: the server believes nothing that the claims say.
 */
export async function withRefreshTokenJwt(
  server: InternalServer,
  response: WireResponse,
  claims: Readonly<Record<string, unknown>>,
  values: TemplateValues,
): Promise<WireResponse> {
  return await changePart(refreshToken, server, response, async (jti) => {
    const key = await digest("SHA-512", server.context.settings.issuer);
    return await signJwt({ header, claims: { ...fillMembers(claims, values), jti }, key });
  });
}

/** Returns the refresh token that the server knows, for a JWT that a client presents. */
export function refreshTokenIn(token: string): string | undefined {
  const jwt = readJwt(token);
  const jti = jwt?.header.alg === header.alg ? jwt.claims.jti : undefined;
  return typeof jti === "string" ? jti : undefined;
}

function isAskedFor(
  { scope, parameter }: RefreshTokenRule,
  { request, asked }: GrantedTokens,
): boolean {
  if (scope !== undefined) {
    const texts = [request.form.get("scope"), asked && requestedIn(asked, "scope")];
    if (!texts.some((text) => text?.split(/[ ,]/).includes(scope))) return false;
  }
  return hasParameter(asked, parameter);
}

/** Whether a request has a parameter, written as `name=value`; true if none is required. */
function hasParameter(request: WireRequest | undefined, parameter: string | undefined): boolean {
  if (parameter === undefined) return true;
  const [name = "", value] = parameter.split("=");
  return request !== undefined && requestedIn(request, name)?.split(" ").includes(value ?? "") ===
      true;
}

/** Returns a parameter of an authorization request, which may be signed (RFC 9101). */
function requestedIn(request: WireRequest, name: string): string | undefined {
  const signed = readJwt(parameterOf(request, "request") ?? "")?.claims[name];
  return typeof signed === "string" ? signed : parameterOf(request, name);
}
