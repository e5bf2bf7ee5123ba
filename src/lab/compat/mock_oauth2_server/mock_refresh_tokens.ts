import { base64url } from "jose";
import type { MockState, RefreshableLogin } from "./mock_state.ts";

/** A token request, as far as refresh tokens depend on it. */
interface RefreshExchange {
  state: MockState;
  /** The members of the response of the server, if it issued tokens. */
  strict: Readonly<Record<string, unknown>>;
}

/** Returns a new refresh token: that of the server, or an unsigned JWT with the nonce. */
export function newRefreshToken(
  { refresh_token: issued }: RefreshExchange["strict"],
  nonce: string | undefined,
): string {
  // keycloak-js reads the nonce from the refresh token.
  if (nonce !== undefined) return unsignedJwt({ jti: crypto.randomUUID(), nonce });
  return typeof issued === "string" ? issued : crypto.randomUUID();
}

/** Returns the refresh token after a use: another one if the settings rotate them. */
export function rotateRefreshToken(
  { state, strict }: RefreshExchange,
  token: string,
  login: RefreshableLogin,
): string {
  if (!state.config.rotateRefreshToken) return token;
  state.refreshTokens.delete(token);
  const rotated = newRefreshToken(strict, undefined);
  state.refreshTokens.set(rotated, login);
  return rotated;
}

function unsignedJwt(claims: Readonly<Record<string, unknown>>): string {
  const parts = [{ alg: "none" }, claims].map((part) => base64url.encode(JSON.stringify(part)));
  return `${parts.join(".")}.`;
}
