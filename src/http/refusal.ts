import { formatChallenge } from "../protocol/challenge.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import { wireError } from "../protocol/oauth_error.ts";
import type { HeaderList } from "./answer.ts";
import { empty, json } from "./answer.ts";

/** Answers a program with an error. Who brought no token at all is told how to present one, and of no error (OAuth 2.1, section 5.3.1). */
export function refusal(error: OAuthError, realm: string, showsHint = false): Response {
  const headers = refusalHeaders(error, realm);
  if (!error.hasBody) return empty(error.status, headers);
  return json(wireError(error, showsHint), error.status, headers);
}

/** The headers of an error, its challenges among them. */
export function refusalHeaders(error: OAuthError, realm: string): HeaderList {
  const challenges = error.challenges.map((challenge) => formatChallenge(challenge, realm, wireError(error)));
  return [...Object.entries(error.headers), ...challenges.map((challenge) => ["WWW-Authenticate", challenge] as const)];
}
