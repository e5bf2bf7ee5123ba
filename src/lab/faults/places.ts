import type { WireRequest } from "../recording/exchange.ts";

/** An endpoint that can misbehave, by a short name. */
export type FaultPlace =
  | "authorize"
  | "token"
  | "userinfo"
  | "introspect"
  | "revoke"
  | "register"
  | "par"
  | "device"
  | "metadata"
  | "jwks";

/** Whether a request goes to an endpoint. */
export const places: Readonly<Record<FaultPlace, (request: WireRequest) => boolean>> = {
  authorize: (request) => request.path === "/oauth2/authorize",
  token: (request) => request.path === "/oauth2/token",
  userinfo: (request) => request.path === "/oauth2/userinfo",
  introspect: (request) => request.path === "/oauth2/introspect",
  revoke: (request) => request.path === "/oauth2/revoke",
  register: (request) => request.path.startsWith("/oauth2/register"),
  par: (request) => request.path === "/oauth2/par",
  device: (request) => request.path === "/oauth2/device_authorization",
  metadata: (request) => request.path.startsWith("/.well-known/"),
  jwks: (request) => request.path === "/oauth2/jwks",
};

/** Whether the response to a request may be an authorization response. */
export function mayCallBack({ path }: WireRequest): boolean {
  return path.startsWith("/oauth2/authorize") || path.startsWith("/oauth2/interaction/");
}

/** Whether a request refreshes tokens. */
export function isRefresh(request: WireRequest): boolean {
  return places.token(request) && request.form.get("grant_type") === "refresh_token";
}
