import type { OAuthError } from "../../protocol/oauth_error.ts";
import { type Rule, ruleError, ruleSet } from "../../protocol/rule.ts";

/** Whether a limit leaves room for a request. */
interface Room {
  hasRoom: boolean;
}

/** What one sender may do in a minute. */
export const aboutLimits = {
  see: "RFC 6585, section 4",
  error: "temporarily_unavailable",
  details: { see: undefined, status: 429, headers: { "Retry-After": "60" } },
} as const;

export const limit = {
  fix: "Wait as long as the header Retry-After says, and try again.",
  holds: ({ hasRoom }: Room) => hasRoom,
};

/** Users see the messages of most limits. */
export const limitRules = ruleSet("limit", aboutLimits, {
  stored_data: {
    ...limit,
    title: "A network must not make the server store too much data in a minute",
    message: "Too much data was sent from this network; try again in a minute.",
  },
  guesses: {
    ...limit,
    title: "A sender must not make too many wrong attempts in a minute",
    message: "Too many wrong attempts; try again in a minute.",
  },
  fetches: {
    ...limit,
    title: "A network must not point the server to other sites too often",
    message: "Too many requests point to other sites; try again in a minute.",
  },
  sign_ins: {
    ...limit,
    title: "The server must have room for one more sign-in",
    message: "Too many people are signing in right now; try again in a few seconds.",
    details: { see: undefined, status: 503, headers: { "Retry-After": "5" } },
  },
});

/**
 * Creates the error of a limit. A request does not list the limits that it stays within: they are
 * not about its content.
 */
export function limitExceeded(rule: Rule<Room>): OAuthError {
  return ruleError(rule, { hasRoom: false });
}
