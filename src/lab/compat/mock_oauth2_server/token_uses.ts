import type { ResponseData } from "../../../server/http/response_data.ts";
import { tokenOf } from "../../recording/exchange.ts";
import { withOriginalToken } from "../original_token.ts";
import { mockJson, MockRefusal } from "./mock_error.ts";
import type { MockIssuerExchange } from "./mock_state.ts";
import { signerOf, verifyMockToken } from "./mock_tokens.ts";

/** Responds with all claims of the access token. */
export async function respondToUserinfo(exchange: MockIssuerExchange): Promise<ResponseData> {
  const { state, wireRequest, respondStrictly } = exchange;
  await respondStrictly(withOriginalToken(state.originals, exchange));
  const token = tokenOf(wireRequest);
  if (token === undefined) throw new MockRefusal("invalid_token", "missing bearer token", 401);
  const claims = await verifyMockToken(signerOf(exchange), token);
  if (!claims) throw new MockRefusal("invalid_token", "could not verify bearer token", 401);
  return mockJson(claims);
}

/** The claims that an introspection response has, if the token has them. */
const introspected = [
  ...["scope", "client_id", "username", "exp", "iat", "nbf", "sub", "aud", "iss", "jti"],
];

/** Responds with the claims of a token, for any client that names itself. */
export async function respondToIntrospect(exchange: MockIssuerExchange): Promise<ResponseData> {
  const { state, wireRequest: { form, headers }, respondStrictly } = exchange;
  await respondStrictly(withOriginalToken(state.originals, exchange));
  if (!/^(?:Bearer|Basic) \S/.test(headers.authorization ?? "")) {
    throw new MockRefusal("invalid_client", "The client authentication was invalid");
  }
  const claims = await verifyMockToken(signerOf(exchange), form.get("token") ?? "");
  if (!claims) return mockJson({ active: false });
  const names = introspected.filter((name) => claims[name] !== undefined);
  return mockJson({
    active: true,
    token_type: claims.token_type ?? "Bearer",
    ...Object.fromEntries(names.map((name) => [name, claims[name]])),
  });
}

/** Revokes a refresh token. */
export async function respondToRevoke(exchange: MockIssuerExchange): Promise<ResponseData> {
  const { state, request, wireRequest: { form }, respondStrictly } = exchange;
  await respondStrictly(request);
  const hint = form.get("token_type_hint");
  if (hint !== "refresh_token") {
    throw new MockRefusal("unsupported_token_type", `unsupported token type: ${hint}`);
  }
  state.refreshTokens.delete(form.get("token") ?? "");
  return { status: 200, headers: [], body: null };
}

/** Redirects to any URL after a sign-out. */
export async function respondToEndSession(
  { request, wireRequest: { query, form }, respondStrictly }: MockIssuerExchange,
): Promise<ResponseData> {
  await respondStrictly(request);
  const read = (name: string) => query.get(name) ?? form.get(name);
  const target = read("post_logout_redirect_uri");
  if (!target) {
    return {
      status: 200,
      headers: [["Content-Type", "text/html;charset=UTF-8"]],
      body: "logged out",
    };
  }
  if (!URL.canParse(target)) {
    throw new MockRefusal("invalid_request", "invalid post_logout_redirect_uri parameter");
  }
  const url = new URL(target);
  const state = read("state");
  if (state !== null) url.searchParams.set("state", state);
  return { status: 302, headers: [["Location", url.href]], body: null };
}
