/**
 * What no correct application can be blamed for as a violation: what a rule binds servers to, and
 * what matters only in a situation that no entry of the corpus is in, such as several issuers.
 */
export const neverViolations: readonly string[] = [
  // RFC 9207, section 1: a client of one server is not vulnerable; RFC 9700, section 4.4.2.
  "callback.wrong_iss",
  "callback.without_iss",
  "callback.iss_with_slash",
  "wrong-issuer-believed",
  // RFC 6749, section 5.1 binds the server; section 7.1 only whoever uses such a token.
  "token.without_token_type",
  "token.wrong_token_type",
  "token.without_access_token",
  // OpenID Connect Core, section 3.1.3.7 with errata 2 has no step for them.
  "id_token.second_aud",
  "id_token.wrong_azp",
  "id_token.without_iat",
  // RFC 6750, section 2.3 lets an API take it; OAuth 2.1, section 5.1 forbids it.
  "query",
  // A note, unless RFC 9068 or mutual TLS is in use.
  "wrong_type",
  "without_certificate",
  // Robustness: no rule.
  "jwks.single_without_kid",
  "token.held",
  "token.lost",
  "refresh.held",
  "refresh.lost",
  "register.forgotten",
];
