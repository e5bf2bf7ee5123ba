import type { FaultKind } from "../faults/fault.ts";
import {
  commonForgeries,
  type CommonForgery,
  type JwtChange,
  setClaims,
  withoutClaim,
} from "../faults/jwt_forgery.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** What can be wrong with a logout token. */
export type LogoutTokenForgery =
  | CommonForgery
  | "without_sub_and_sid"
  | "without_events"
  | "wrong_event"
  | "with_nonce"
  | "id_token"
  | "without_jti";

/** The name of a fault in a logout token: `"logout_token.with_nonce"`. */
export type LogoutTokenFaultName = `logout_token.${LogoutTokenForgery}`;

const forgeries: Record<LogoutTokenForgery, JwtChange> = {
  ...commonForgeries,
  without_sub_and_sid: {
    what: "names neither a user nor a session: it has no sub and no sid",
    change: ({ header, claims: { sub: _, sid: _sid, ...claims } }) => ({ header, claims }),
  },
  without_events: withoutClaim("events"),
  wrong_event: {
    what: "is about a different event than a sign-out",
    change: setClaims(() => ({ events: { [`${logoutEvent}-of-another-kind`]: {} } })),
  },
  with_nonce: {
    what: "has a nonce, as only ID tokens do",
    change: setClaims(() => ({ nonce: "a-nonce" })),
  },
  id_token: {
    what: "is an ID token: it has a nonce, the type of one, and no events",
    change: ({ header, claims: { events: _, ...claims } }) => ({
      header: { ...header, typ: "JWT" },
      claims: { ...claims, nonce: "a-nonce" },
    }),
  },
  without_jti: withoutClaim("jti"),
};

const kinds = Object.entries(forgeries).map(([word, forgery]) => [
  `logout_token.${word}`,
  { summary: `The logout token ${forgery.what}.`, appliesTo: () => false, forgery },
]);

/**
 * The faults in logout tokens, by name. They are not part of a response (OpenID Connect Back-Channel
 * Logout, section 2.6).
 */
export const logoutTokenFaults: Record<LogoutTokenFaultName, FaultKind> = Object.fromEntries(kinds);
