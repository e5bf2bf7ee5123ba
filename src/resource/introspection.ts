import type { JWTPayload } from "jose";
import type { ReadToken } from "./jwt_access_token.ts";
import type { Outside } from "./outside.ts";
import { ask } from "./outside.ts";

/** As whom an API asks. */
export interface Introspection {
  clientId: string;
  clientSecret: string;
  /** Default: what the server's metadata says. */
  endpoint?: string;
}

/** Whom to ask about a token, and as whom. */
export interface AskedServer {
  issuer: string;
  introspection: Introspection;
  endpoint: () => Promise<string>;
  outside: Outside;
}

/** Asks the server what a token is worth (RFC 7662). Nothing is kept: what was revoked is worth nothing at once. */
export function readByIntrospection({ issuer, introspection, endpoint, outside }: AskedServer): ReadToken {
  const authorization = basic(introspection);
  return async (token) => {
    const form = { fields: { token, token_type_hint: "access_token" }, authorization };
    const { active, ...claims } = await ask(outside, { at: [await endpoint()], form });
    return active === true && isOf(claims, issuer) && !hasExpired(claims, outside.now()) ? claims : undefined;
  };
}

function isOf({ iss }: JWTPayload, issuer: string): boolean {
  return iss === undefined || iss === issuer;
}

function hasExpired({ exp }: JWTPayload, now: number): boolean {
  return exp !== undefined && !(exp * 1000 > now);
}

/** The id and the secret are form-encoded before they are joined (OAuth 2.1, section 2.4.1). */
function basic({ clientId, clientSecret }: Introspection): string {
  return `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(":"))}`;
}
