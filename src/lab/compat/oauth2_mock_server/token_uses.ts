import type { ResponseData } from "../../../server/http/response_data.ts";
import { withOriginalToken } from "../original_token.ts";
import {
  type MockExchange,
  type MockParts,
  mutableResponse,
  redirectResponse,
} from "./mock_exchange.ts";
import { readUrl } from "./problem.ts";
import { membersOf, mockUser } from "./token.ts";
import type { MutableResponse, StatusCodeMutableResponse } from "./types.ts";

/** Responds with the same user for every token. */
export async function respondToUserinfo(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  await exchange.respondStrictly(withOriginalToken(parts.originals, exchange));
  const response: MutableResponse = { statusCode: 200, body: { sub: mockUser } };
  parts.emit("beforeUserinfo", response, exchange.message);
  return mutableResponse(response);
}

/** Calls every token active, unless the test is strict. */
export async function respondToIntrospect(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  const strict = await exchange.respondStrictly(withOriginalToken(parts.originals, exchange));
  const active = !exchange.isStrict || membersOf(strict).active === true;
  const response: MutableResponse = { statusCode: 200, body: { active } };
  parts.emit("beforeIntrospect", response, exchange.message);
  return mutableResponse(response);
}

/** Revokes a token, or pretends to. */
export async function respondToRevoke(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  await exchange.respondStrictly(withOriginalToken(parts.originals, exchange));
  const response: StatusCodeMutableResponse = { statusCode: 200 };
  parts.emit("beforeRevoke", response, exchange.message);
  return { status: response.statusCode, headers: [], body: null };
}

/** Signs the user out, and redirects to any URL. */
export async function respondToEndSession(
  { emit }: MockParts,
  { request, wireRequest, message, respondStrictly }: MockExchange,
): Promise<ResponseData> {
  await respondStrictly(request);
  const target = wireRequest.query.get("post_logout_redirect_uri");
  if (!target) {
    return {
      status: 200,
      headers: [["Content-Type", "text/plain; charset=utf-8"]],
      body: "Logout successful",
    };
  }
  const url = readUrl("post_logout_redirect_uri", target);
  const state = wireRequest.query.get("state");
  if (state !== null) url.searchParams.set("state", state);
  emit("beforePostLogoutRedirect", { url }, message);
  return redirectResponse(url);
}
