import type { FoldRule } from "../verdicts/fold.ts";

/** What a client must validate, by how its variants begin. */
const signed = {
  id_token: "ID token",
  logout_token: "logout token",
  jarm: "signed authorization response",
  userinfo: "signed userinfo response",
} as const;

/**
 * Mistakes of applications that more than one variant or check shows; what says more comes later.
 */
export const applicationFoldRules: readonly FoldRule[] = [
  { found: ["callback.wrong_state"], explains: ["callback.without_state"] },
  { found: ["callback.wrong_iss"], explains: ["callback.without_iss", "callback.iss_with_slash"] },
  // Without PKCE, the nonce is what ties a code to its login.
  {
    found: ["callback.foreign_code"],
    explains: ["id_token.wrong_nonce", "id_token.without_nonce"],
  },
  { found: ["userinfo.wrong_sub"], explains: ["userinfo.without_sub", "id_token.wrong_sub"] },
  ...Object.entries(signed).flatMap(([prefix, name]) => rulesOf(prefix, name)),
  // A library that leaves out a claim leaves it out in all that it validates.
  ...["wrong_iss", "wrong_sub", "wrong_aud", "expired"].flatMap((claim): FoldRule[] => [
    { found: [`id_token.${claim}`], explains: [`refresh.${claim}`] },
    {
      found: [`id_token.${claim}`],
      explains: [`logout_token.${claim}`],
      unless: "logout_token.without_events",
    },
  ]),
  {
    found: ["refresh.wrong_sub", "refresh.wrong_iss", "refresh.wrong_aud"],
    id: "refresh.not_validated",
    title: "Does not validate the ID token of a refresh",
  },
  { found: ["refresh.invalid_grant"], explains: ["refresh.lost"] },
  {
    found: ["logout_token.id_token"],
    explains: [
      "logout_token.without_events",
      "logout_token.wrong_event",
      "logout_token.with_nonce",
    ],
    title: "Takes an ID token for a logout token",
  },
  { found: ["logout_token.wrong_event"], explains: ["logout_token.without_events"] },
  {
    found: [
      "token.without_id_token",
      "id_token.wrong_iss",
      "id_token.wrong_aud",
      "id_token.expired",
    ],
    explains: [
      ...["id_token.*", "refresh.*", "account_without_sub"],
      // There is no other sub to compare.
      ...["userinfo.wrong_sub", "userinfo.without_sub"],
    ],
    id: "id_token.not_read",
    title: "Does not read the ID token",
    fix:
      "Require an ID token, and validate it with your library: signature, iss, aud, exp and nonce.",
  },
  {
    found: ["callback.wrong_state", "callback.foreign_code"],
    explains: [
      ...["callback.without_state", "callback.fixated_session", "callback.other_redirect_uri"],
      "callback.unsolicited",
    ],
    id: "callback.not_tied",
    title: "Does not tie the callback to the browser that began the login",
  },
  ...["state-reused", "challenge-missing"].map((lead): FoldRule => ({
    found: [lead],
    explains: [
      ...["callback.foreign_code", "callback.fixated_session", "state-reused"],
      "callback.unsolicited",
    ],
  })),
  // The browser that did not begin the login is that of another session, too.
  { found: ["callback.unsolicited"], explains: ["callback.fixated_session"] },
  { found: ["request.stripped"], explains: ["id_token.old_auth_time"] },
  { found: ["token-in-uri"], explains: ["secret_in_url"] },
  // After a login that failed, the next one with its state is taken for it.
  { found: ["state-reused"], explains: ["token.lost", "refresh.lost"] },
  ...[["state", "nonce"], ["state", "challenge"], ["challenge", "nonce"]].map(([one, other]) => (
    {
      found: [`${one}-reused`, `${other}-reused`],
      id: "login-reused",
      title: "Makes what ties a login to its browser once, and not for each login",
    } satisfies FoldRule
  )),
  { found: ["session_survives"], explains: ["old_cookie"] },
  { found: ["other_session_ended"], explains: ["old_cookie", "refresh.invalid_grant"] },
  {
    found: ["session_survives", "logout_ignored"],
    id: "session_never_ends",
    title: "Nothing ends the session: neither a sign-out nor a logout token",
    fix: "End the session on your server at a sign-out and at a logout token, not only the cookie.",
  },
  { found: ["id_token.without_sub"], explains: ["account_without_sub"] },
  { found: ["second_user"], explains: ["account_by_email", "account_without_sub"] },
];

/** The mistakes that a client can make with something signed. */
function rulesOf(prefix: string, name: string): FoldRule[] {
  const of = (...names: readonly string[]) => names.map((each) => `${prefix}.${each}`);
  const claims = [`${prefix}.wrong_iss`, `${prefix}.wrong_aud`, `${prefix}.expired`] as const;
  const notValidated = {
    explains: [`${prefix}.*`, ...prefix === "id_token" ? ["account_without_sub"] : []],
    id: `${prefix}.not_validated`,
    title: `Does not validate the ${name}`,
    fix: `Validate the ${name} with your library: its signature and every claim.`,
  };
  return [
    ...["iss", "aud", "nonce", "sub"].map((claim): FoldRule => ({
      found: [`${prefix}.wrong_${claim}`],
      explains: of(
        `without_${claim}`,
        `containing_${claim}`,
        `part_of_${claim}`,
        `listed_${claim}`,
      ),
    })),
    { found: [`${prefix}.expired`], explains: of("without_exp") },
    {
      found: [`${prefix}.foreign_signature`],
      explains: of("alg_none", "hs256*", "with_*", "encrypted_unsigned"),
    },
    { found: claims, ...notValidated },
    { found: [`${prefix}.foreign_signature`, ...claims], ...notValidated },
  ];
}
