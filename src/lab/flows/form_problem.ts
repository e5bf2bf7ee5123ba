import type { Exchange } from "../recording/exchange.ts";

/** Returns why a user was shown the same form again, or undefined if this did not happen. */
export function formProblemOf({ events }: Pick<Exchange, "events">): string | undefined {
  for (const event of events) {
    if (event.type === "sign_in.failed") return signInProblem(event.user);
    if (event.type === "user_code.refused") return "The user code is unknown, expired or used.";
  }
  return undefined;
}

function signInProblem(user: string | undefined): string {
  return user === undefined
    ? "No user has this name, or the user is disabled."
    : `Wrong password for ${user}.`;
}
