import type { RowClass } from "./grade.ts";

type SharedClass = Omit<RowClass, "rule"> & { gain: string };

/** How bad a mistake is that requests show, for the report and for a drill, which knows more. */
export const reusedTie: SharedClass = {
  takes: "a code",
  when: ["accepts callback.foreign_code"],
  gain: "A stolen code is redeemed in another session.",
};

/** Neither PKCE nor a nonce ties a code to its login. */
export const untiedCode: SharedClass = {
  takes: "a code",
  gain: "A code that an attacker has stolen is redeemed in another session.",
  cases: [{
    when: ["without a state"],
    takes: "nothing",
    gain: "Any page can complete an attacker's login in the browser of a victim.",
  }],
};

/** A token or a secret is in a URI. */
export const secretInUri: SharedClass = {
  takes: "a log",
  size: "limit",
  gain: "It is in the logs of servers and proxies, and in the history of browsers.",
};
