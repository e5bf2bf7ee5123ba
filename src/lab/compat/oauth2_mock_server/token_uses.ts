import type { ResponseData } from "../../../server/http/response_data.ts";
import { changeRequest } from "../../recording/changed_request.ts";
import { tokenOf } from "../../recording/exchange.ts";
import {
  type MockExchange,
  type MockParts,
  mutableResponse,
  redirectResponse,
} from "./mock_exchange.ts";
import { mockUser } from "./token.ts";
import type { MutableResponse, StatusCodeMutableResponse } from "./types.ts";

/** Responds with the same user, whatever the token is. */
export async function respondToUserinfo(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  await exchange.respondStrictly(withOriginalToken(parts, exchange));
  const response: MutableResponse = { statusCode: 200, body: { sub: mockUser } };
  parts.emit("beforeUserinfo", response, exchange.message);
  return mutableResponse(response);
}

/** Calls every token active. */
export async function respondToIntrospect(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  await exchange.respondStrictly(withOriginalToken(parts, exchange));
  const response: MutableResponse = { statusCode: 200, body: { active: true } };
  parts.emit("beforeIntrospect", response, exchange.message);
  return mutableResponse(response);
}

/** Revokes a token, or pretends to. */
export async function respondToRevoke(
  parts: MockParts,
  exchange: MockExchange,
): Promise<ResponseData> {
  await exchange.respondStrictly(withOriginalToken(parts, exchange));
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
  const url = new URL(target);
  const state = wireRequest.query.get("state");
  if (state !== null) url.searchParams.set("state", state);
  emit("beforePostLogoutRedirect", { url }, message);
  return redirectResponse(url);
}

/** The server knows the access token that it issued, and not the one that the client got. */
function withOriginalToken({ originals }: MockParts, { request, wireRequest }: MockExchange) {
  const { url, headers, form, body } = wireRequest;
  const presented = originals.get(tokenOf(wireRequest) ?? "");
  const named = originals.get(form.get("token") ?? "");
  if (presented === undefined && named === undefined) return request;
  const authorization = presented === undefined ? undefined : `Bearer ${presented}`;
  const changedForm = new URLSearchParams(form);
  if (named !== undefined) changedForm.set("token", named);
  return changeRequest(
    request,
    { url, headers: { ...headers, ...authorization && { authorization } } },
    request.method === "GET" ? undefined : named === undefined ? body : changedForm.toString(),
  );
}
