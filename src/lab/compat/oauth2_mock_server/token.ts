import type { ResponseData } from "../../../server/http/response_data.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { changeRequest } from "../../recording/changed_request.ts";
import { basicPair, isScheme, readJwt } from "../../recording/credentials.ts";
import { formType } from "../../recording/exchange.ts";
import { parseBody } from "./message_request.ts";
import { type MockExchange, type MockParts, mutableResponse } from "./mock_exchange.ts";
import { defaultLifetime } from "./oauth2_issuer.ts";
import { checkVerifier } from "./pkce.ts";
import { InvalidRequest } from "./problem.ts";
import type {
  JwtTransform,
  MockTokenRequest,
  MutableResponse,
  TokenRequestIncomingMessage,
} from "./types.ts";

/** The user whom every sign-in is about. */
export const mockUser = "johndoe";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** What a grant leads to. */
interface MockGrant {
  /** The claims of the access token. */
  claims: Record<string, unknown>;
  /** The scope of the response. */
  scope: string | undefined;
  /** Whether a user signed in, so that there is an ID token and a refresh token. */
  hasUser: boolean;
}

/** Issues tokens for any client and any credential. */
export async function respondToToken(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  const message = withBody(exchange);
  const strict = membersOf(await exchange.respondStrictly(asForm(exchange, message.body)));
  await checkVerifier(parts.codes, message.body);
  const grant = readGrant(message.body);
  const response: MutableResponse = {
    statusCode: 200,
    body: await issue(parts, message, grant, strict),
  };
  parts.emit("beforeResponse", response, message);
  return mutableResponse(response, [["Cache-Control", "no-store"], ["Pragma", "no-cache"]]);
}

async function issue(
  parts: MockParts,
  message: TokenRequestIncomingMessage,
  { claims, scope, hasUser }: MockGrant,
  strict: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const access = await parts.buildToken(message, defaultLifetime, withClaims({ ...claims, scope }));
  if (typeof strict.access_token === "string") parts.originals.set(access, strict.access_token);
  const body = {
    access_token: access,
    token_type: "Bearer",
    expires_in: defaultLifetime,
    ...scope !== undefined && { scope },
  };
  if (!hasUser) return body;
  const idToken = withClaims({
    sub: mockUser,
    aud: clientOf(message),
    nonce: takeNonce(parts, message),
  });
  return {
    ...body,
    refresh_token: strict.refresh_token ?? crypto.randomUUID(),
    id_token: await parts.buildToken(message, defaultLifetime, idToken),
  };
}

function readGrant({ grant_type, scope, username, aud, assertion }: MockTokenRequest): MockGrant {
  const password = { amr: ["pwd"] };
  switch (grant_type) {
    case "client_credentials":
      return { claims: { aud }, scope, hasUser: false };
    case "password":
      return { claims: { sub: username, ...password }, scope, hasUser: true };
    case "authorization_code":
    case "refresh_token":
      return {
        claims: { sub: mockUser, ...password },
        scope: scope ?? "dummy",
        hasUser: true,
      };
    case jwtBearer: {
      const sub = readJwt(assertion ?? "")?.claims.sub;
      if (assertion === undefined) throw new InvalidRequest("Invalid 'assertion' type");
      return { claims: { sub, client_id: sub }, scope, hasUser: false };
    }
    default:
      throw new InvalidRequest("Invalid grant type");
  }
}

/** Members without a value are left out. */
function withClaims(claims: Record<string, unknown>): JwtTransform {
  const given = Object.entries(claims).filter(([, value]) => value !== undefined);
  return (_header, payload) => void Object.assign(payload, Object.fromEntries(given));
}

function takeNonce({ codes }: MockParts, { body: { code = "" } }: TokenRequestIncomingMessage) {
  const nonce = codes.get(code)?.nonce;
  codes.delete(code);
  return nonce;
}

/** Returns the client that the request names: by Basic authentication, or in its body. */
function clientOf({ headers, body }: TokenRequestIncomingMessage): unknown {
  const { authorization = "" } = headers;
  const basic = typeof authorization === "string" && isScheme(authorization, "Basic")
    ? basicPair(authorization)
    : undefined;
  return basic?.id ?? body.client_id;
}

/** Adds the parsed body to the message, as listeners expect it. */
function withBody({ message, wireRequest }: MockExchange): TokenRequestIncomingMessage {
  const body = parseBody(wireRequest, wireRequest.body);
  const type = String(wireRequest.headers["content-type"] ?? "");
  if (body === undefined && type.startsWith("application/json")) {
    throw new InvalidRequest("Malformed JSON payload");
  }
  if (!isTokenRequest(body)) throw new InvalidRequest("Invalid token request body");
  for (const name of ["grant_type", "scope", "code", "code_verifier"] as const) {
    const value: unknown = body[name];
    const isMissing = value === undefined && name !== "grant_type";
    if (!isMissing && typeof value !== "string") throw new InvalidRequest(`Invalid '${name}' type`);
  }
  return Object.assign(message, { body });
}

function isTokenRequest(body: unknown): body is MockTokenRequest {
  return isObject(body) && !Array.isArray(body);
}

/** The server reads forms only. */
function asForm({ request, wireRequest }: MockExchange, body: MockTokenRequest) {
  if (wireRequest.form.size > 0) return request;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const each of [value].flat()) form.append(name, String(each));
  }
  const headers = { ...wireRequest.headers, "content-type": formType };
  return changeRequest(request, { url: wireRequest.url, headers }, form.toString());
}

/** Returns the members of a JSON response. */
export function membersOf({ body }: ResponseData): Record<string, unknown> {
  const json = typeof body === "string" ? parseJson(body) : undefined;
  return isObject(json) ? json : {};
}
