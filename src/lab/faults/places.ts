import type { WireRequest } from "../watch/exchange.ts";

/** The endpoints that can be told to misbehave, each by a short name. */
export type Place = "authorize" | "token" | "userinfo" | "introspect" | "revoke" | "register" | "par" | "device" | "metadata" | "jwks";

export const places: Record<Place, (asked: WireRequest) => boolean> = {
  authorize: (asked) => asked.path === "/oauth2/authorize",
  token: (asked) => asked.path === "/oauth2/token",
  userinfo: (asked) => asked.path === "/oauth2/userinfo",
  introspect: (asked) => asked.path === "/oauth2/introspect",
  revoke: (asked) => asked.path === "/oauth2/revoke",
  register: (asked) => asked.path.startsWith("/oauth2/register"),
  par: (asked) => asked.path === "/oauth2/par",
  device: (asked) => asked.path === "/oauth2/device_authorization",
  metadata: (asked) => asked.path.startsWith("/.well-known/"),
  jwks: (asked) => asked.path === "/oauth2/jwks",
};

/** Everything on the way from the authorization endpoint to the client's callback. */
export function onTheWayBack({ path }: WireRequest): boolean {
  return path.startsWith("/oauth2/authorize") || path.startsWith("/oauth2/interaction/");
}

export function isRefresh(asked: WireRequest): boolean {
  return places.token(asked) && asked.form.get("grant_type") === "refresh_token";
}
