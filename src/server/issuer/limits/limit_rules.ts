import type { OAuthError } from "../../protocol/oauth_error.ts";
import { brokenRule, type Rule } from "../../protocol/rule.ts";

/** Whether a limit leaves room for a request. */
interface Room {
  hasRoom: boolean;
}

/** A limit, as its rule describes it. */
interface DescribedLimit {
  id: string;
  title: string;
  message: string;
  /** When to try again, in seconds. */
  retryAfter: number;
}

export const registrationsAreFew: Rule<Room> = budgetRule({
  id: "limit.registrations",
  title: "The network registers few clients in a minute",
  message: "Too many registrations; try again in a minute.",
});

export const storedDataIsSmall: Rule<Room> = budgetRule({
  id: "limit.stored_data",
  title: "The network makes the server store little data in a minute",
  message: "Too much data was sent from this network; try again in a minute.",
});

export const wrongGuessesAreFew: Rule<Room> = budgetRule({
  id: "limit.guesses",
  title: "Few recent attempts were wrong",
  message: "Too many wrong attempts; try again in a minute.",
});

export const fetchesAreFew: Rule<Room> = budgetRule({
  id: "limit.fetches",
  title: "Few requests point to other sites",
  message: "Too many requests point to other sites; try again in a minute.",
});

export const signInsAreFew: Rule<Room> = limitRule({
  id: "limit.sign_ins",
  title: "Few people are signing in at the same time",
  message: "Too many people are signing in right now; try again in a few seconds.",
  retryAfter: 5,
}, 503);

/**
 * Creates the error of a limit. A request does not list the limits that it stays within: they are
 * not about its content.
 */
export function limitExceeded(rule: Rule<Room>): OAuthError {
  return brokenRule(rule, { hasRoom: false });
}

/** The rule of a limit on what one sender may do in a minute. */
function budgetRule(limit: Omit<DescribedLimit, "retryAfter">): Rule<Room> {
  return limitRule({ ...limit, retryAfter: 60 }, 429);
}

function limitRule({ retryAfter, ...about }: DescribedLimit, status: number): Rule<Room> {
  return {
    ...about,
    see: "RFC 6585, section 4",
    error: "temporarily_unavailable",
    details: { see: undefined, status, headers: { "Retry-After": String(retryAfter) } },
    advice: "Wait as long as the header Retry-After says, and try again.",
    holds: ({ hasRoom }) => hasRoom,
  };
}
