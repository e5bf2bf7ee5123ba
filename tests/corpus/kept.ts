/** Rules that something correct is known to keep. */
export interface KeptRules {
  /** What is refused, as the page about frameworks has it. */
  refuses: string;
  /** The ids of findings about them; one that ends with a dot stands for all below it. */
  ids: readonly string[];
}

export const state: KeptRules = {
  refuses: "a callback with a wrong state, or without one",
  ids: ["callback.wrong_state", "callback.without_state", "wrong-state-believed", "state-reused"],
};

/** A constant state is no violation where the nonce or the challenge is new each time. */
export const freshState: KeptRules = { refuses: "", ids: ["state-reused"] };

export const foreignResponse: KeptRules = {
  refuses: "a code of another session, and a login that another browser began",
  ids: ["callback.foreign_code", "callback.fixated_session", "callback.denied"],
};

export const challenge: KeptRules = {
  refuses: "a code without its verifier (PKCE)",
  ids: ["challenge-reused", "plain-challenge", "short-verifier"],
};

export const nonce: KeptRules = {
  refuses: "an ID token with another nonce, or without one",
  ids: ["id_token.wrong_nonce", "id_token.without_nonce", "nonce-reused"],
};

export const signature: KeptRules = {
  refuses: "an ID token with a wrong signature",
  ids: [
    "id_token.alg_none",
    "id_token.foreign_signature",
    "id_token.hs256_with_public_key",
    "id_token.hs256_with_secret",
    "id_token.header_",
  ],
};

/** Where the signature is not verified, TLS vouches for the ID token: no rule is broken. */
export const tlsInstead: KeptRules = { refuses: "", ids: signature.ids };

export const issuerAndAudience: KeptRules = {
  refuses: "an ID token of another issuer, or for another client",
  ids: [
    "id_token.wrong_iss",
    "id_token.wrong_aud",
    "id_token.without_iss",
    "id_token.without_aud",
  ],
};

export const time: KeptRules = {
  refuses: "an ID token that has expired",
  ids: ["id_token.expired", "id_token.without_exp"],
};

export const userinfo: KeptRules = {
  refuses: "userinfo about another user",
  ids: ["userinfo.", "id_token.wrong_sub"],
};

export const refresh: KeptRules = {
  refuses: "a refreshed ID token of another user, issuer or client",
  ids: ["refresh.", "second_refresh", "parallel-refresh", "refresh-retried-after-rotation"],
};

export const logoutTokens: KeptRules = {
  refuses: "a forged logout token",
  ids: ["logout_token.", "logout_ignored"],
};

export const signOut: KeptRules = {
  refuses: "a session that was signed out",
  ids: ["session_survives"],
};

export const redirects: KeptRules = {
  refuses: "a redirect to another site",
  ids: ["open_redirect"],
};

export const browser: KeptRules = {
  refuses: "the page and the cookie of another user",
  ids: [
    ...["error_markup", "second_user", "account_without_sub"],
    ...["secret_in_page", "secret_in_url", "forged_session", "same_session", "code_in_url"],
  ],
};

export const requests: KeptRules = {
  refuses: "",
  ids: [
    ...["secret-in-uri", "token-in-uri", "code-redeemed-twice", "wrong-audience"],
    ...["secret-of-public-client", "token-type-ignored", "metadata.foreign_token_endpoint"],
  ],
};

export const accessToken: KeptRules = {
  refuses: "an access token that is forged, has expired, or is for another API",
  ids: [
    ...["no_token", "unknown_token", "expired", "not_yet_valid", "wrong_issuer", "wrong_audience"],
    ...["id_token", "alg_none", "hs256_public_key", "foreign_key", "header_key", "unknown_crit"],
    ...["hostile_kid", "malformed", "similar_", "client_token", "two_places", "duplicate_members"],
  ],
};

export const scope: KeptRules = {
  refuses: "an access token without the scope",
  ids: ["no_scope", "small_scope", "scope_response", "scope_order"],
};

/** What an API must accept. */
export const validAccessTokens: KeptRules = {
  refuses: "",
  ids: ["audience_list", "typ", "scheme_case", "new_key"],
};

/** Returns the ids of findings that would be wrong. */
export function idsOf(kept: readonly KeptRules[]): string[] {
  return kept.flatMap(({ ids }) => ids);
}
