import type { Asked } from "../watch/exchange.ts";

/** The endpoints that can be told to misbehave, each by a short name. */
export const places = {
  authorize: (asked: Asked) => asked.path === "/oauth2/authorize",
  token: (asked: Asked) => asked.path === "/oauth2/token",
  userinfo: (asked: Asked) => asked.path === "/oauth2/userinfo",
  introspect: (asked: Asked) => asked.path === "/oauth2/introspect",
  revoke: (asked: Asked) => asked.path === "/oauth2/revoke",
  register: (asked: Asked) => asked.path.startsWith("/oauth2/register"),
  par: (asked: Asked) => asked.path === "/oauth2/par",
  device: (asked: Asked) => asked.path === "/oauth2/device_authorization",
  metadata: (asked: Asked) => asked.path.startsWith("/.well-known/"),
  jwks: (asked: Asked) => asked.path === "/oauth2/jwks",
} as const;

export type Place = keyof typeof places;

/** Everything on the way from the authorization endpoint to the client's callback. */
export function onTheWayBack({ path }: Asked): boolean {
  return path.startsWith("/oauth2/authorize") || path.startsWith("/oauth2/interaction/");
}

export function isRefresh(asked: Asked): boolean {
  return places.token(asked) && asked.form.get("grant_type") === "refresh_token";
}
