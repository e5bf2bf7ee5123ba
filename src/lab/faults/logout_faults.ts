import { headerOf, withHeaderValue } from "../recording/exchange.ts";
import type { Part } from "../responses/part.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { changing } from "./fault_kinds.ts";
import {
  claims,
  commonForgeries,
  type CommonForgery,
  type JwtChange,
  withoutClaim,
} from "./jwt_forgery.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** The name of a fault in the redirect that ends a sign-out. */
export type LogoutFaultName = `logout.${"wrong_state" | "without_state"}`;

/** What can be wrong with a logout token. */
export type LogoutTokenForgery =
  | CommonForgery
  | "without_sub_and_sid"
  | "without_events"
  | "wrong_event"
  | "with_nonce"
  | "without_jti";

/** The name of a fault in a logout token: `"logout_token.with_nonce"`. */
export type LogoutTokenFaultName = `logout_token.${LogoutTokenForgery}`;

/** The URL to which a sign-out leads. */
const signOutUrl: Part<URL> = {
  appliesTo: ({ endpoint }) => endpoint === "logout",
  read(response) {
    const location = headerOf(response, "Location") ?? "";
    return URL.canParse(location) ? new URL(location) : undefined;
  },
  write: (response, { href }) => withHeaderValue(response, "Location", href),
};

const forgeries: Record<LogoutTokenForgery, JwtChange> = {
  ...commonForgeries,
  without_sub_and_sid: {
    what: "names neither a user nor a session: it has no sub and no sid",
    change: ({ header, claims: { sub: _, sid: _sid, ...claims } }) => ({ header, claims }),
  },
  without_events: withoutClaim("events"),
  wrong_event: {
    what: "is about a different event than a sign-out",
    change: claims(() => ({ events: { [`${logoutEvent}-of-another-kind`]: {} } })),
  },
  with_nonce: {
    what: "has a nonce, as only ID tokens do",
    change: claims(() => ({ nonce: "a-nonce" })),
  },
  without_jti: withoutClaim("jti"),
};

/** The faults in the redirect that ends a sign-out, and in logout tokens, by name. */
export const logoutFaults: Record<LogoutFaultName | LogoutTokenFaultName, FaultKind> = {
  "logout.wrong_state": stateFault(
    "with a different state than the request had",
    (parameters) => parameters.set("state", "another-state"),
  ),
  "logout.without_state": stateFault(
    "without the state of the request",
    (parameters) => parameters.delete("state"),
  ),
  ...logoutTokenFaults(),
};

/** Creates a fault that never fires for a request without a state. */
function stateFault(how: string, change: (parameters: URLSearchParams) => void): ChangingFault {
  return changing(signOutUrl, `After a sign-out, the browser comes back ${how}.`, (url) => {
    change(url.searchParams);
    return url;
  }, ({ searchParams }) => searchParams.has("state"));
}

/** Logout tokens are no part of a response (OpenID Connect Back-Channel Logout, section 2.6). */
function logoutTokenFaults(): Record<LogoutTokenFaultName, FaultKind> {
  const kinds = Object.entries(forgeries).map(([word, forgery]) => [
    `logout_token.${word}`,
    { summary: `The logout token ${forgery.what}.`, appliesTo: () => false, forgery },
  ]);
  return Object.fromEntries(kinds);
}
