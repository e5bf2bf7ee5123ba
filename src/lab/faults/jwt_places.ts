import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import { callbackIn, memberOf, withCallback } from "../recording/wire_callback.ts";
import type { ChangingFault } from "./fault.ts";
import { breaksSignature, canForge, forgeJwt, type JwtChange } from "./jwt_forgery.ts";
import { mayCallBack, places } from "./places.ts";

/** Where a response of a server may have a JWT. */
export interface JwtPlace {
  appliesTo(request: WireRequest): boolean;
  find(response: WireResponse, issuer: string): DecodedJwt | undefined;
  replace(response: WireResponse, issuer: string, jwt: string): WireResponse;
}

/** The parameter, member or endpoint that has a JWT. */
type JwtMember = "response" | "id_token" | "access_token" | "userinfo";

/** The JWT of an authorization response (JARM), of a token response, and of userinfo. */
export const jwtPlaces: Readonly<Record<JwtMember, JwtPlace>> = {
  response: {
    appliesTo: mayCallBack,
    find: (response, issuer) => readJwt(memberOf(callbackIn(response, issuer), "response") ?? ""),
    replace(response, issuer, jwt) {
      const callback = callbackIn(response, issuer);
      return callback
        ? withCallback(response, { ...callback, members: [["response", jwt]] })
        : response;
    },
  },
  id_token: tokenPlace("id_token"),
  access_token: tokenPlace("access_token"),
  userinfo: {
    appliesTo: places.userinfo,
    find: ({ status, body }) => status < 300 && !body.startsWith("{") ? readJwt(body) : undefined,
    replace: (response, _issuer, jwt) => ({ ...response, body: jwt }),
  },
};

/** Creates a fault in a JWT. It never fires for a response that has none. */
export function forgeryFault(
  { appliesTo, find, replace }: JwtPlace,
  summary: string,
  forgery: JwtChange,
): ChangingFault {
  return {
    summary,
    appliesTo,
    breaksSignature: breaksSignature(forgery),
    canChange(response, { server }) {
      const jwt = find(response, server.issuer);
      return jwt !== undefined && canForge(jwt, forgery);
    },
    async change(response, { server }) {
      const jwt = find(response, server.issuer);
      if (!jwt) return response;
      return replace(response, server.issuer, await forgeJwt(server, jwt, forgery));
    },
  };
}

function tokenPlace(member: string): JwtPlace {
  return {
    appliesTo: places.token,
    find(response) {
      const value = jsonOf(response)?.[member];
      return typeof value === "string" ? readJwt(value) : undefined;
    },
    replace: (response, _issuer, jwt) => withJson(response, (body) => ({ ...body, [member]: jwt })),
  };
}
