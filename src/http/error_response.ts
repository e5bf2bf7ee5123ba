import { errorBody, formatChallenge, type OAuthError } from "../protocol/oauth_error.ts";
import { empty, type HeaderList, json } from "./response.ts";

/** Answers a program with an error. Who brought no token at all is told how to present one, and of no error (OAuth 2.1, section 5.3.1). */
export function errorResponse(error: OAuthError, realm: string, showsHint = false): Response {
  const headers = errorHeaders(error, realm);
  if (!error.hasBody) return empty(error.status, headers);
  return json(errorBody(error, showsHint), error.status, headers);
}

/** The headers of an error, its challenges among them. */
export function errorHeaders(error: OAuthError, realm: string): HeaderList {
  const challenges = error.challenges.map((challenge) =>
    formatChallenge(challenge, realm, errorBody(error))
  );
  return [
    ...Object.entries(error.headers),
    ...challenges.map((challenge) => ["WWW-Authenticate", challenge] as const),
  ];
}
