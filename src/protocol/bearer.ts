import type { Challenge } from "./challenge.ts";
import { bearerChallenge } from "./challenge.ts";
import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";

const challenge: Challenge = bearerChallenge({ namesError: true });

/** Reads the access token of a request: from the header or a form body, never from the URI (OAuth 2.1, section 5.1). */
export function readBearerToken(authorization: string | null, body: Parameters | undefined): string {
  const inBody = body?.get("access_token");
  const inHeader = authorization !== null && /^Bearer /i.test(authorization) ? authorization : undefined;
  if (inHeader === undefined && inBody === undefined) {
    throw new OAuthError("invalid_token", "Send an access token.", { challenge: bearerChallenge({ namesError: false }) });
  }
  if (inHeader === undefined) return inBody!;
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(inHeader) ?? [];
  if (token === undefined) throw refuse("The Authorization header does not hold a bearer token.");
  if (inBody !== undefined) throw refuse("An access token is sent in one way at a time: the header or the body.");
  return token;
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_request", message, { see: "OAuth 2.1, section 5.1", challenge });
}

export function refuseToken(code: "invalid_token" | "insufficient_scope", message: string, see: string): OAuthError {
  return new OAuthError(code, message, { see, challenge });
}
