import type { Check, Finding } from "../../findings/finding.ts";
import type { SeenFact } from "../../findings/grade.ts";
import { reusedTie, secretInUri, untiedCode } from "../../findings/request_classes.ts";
import { checksOf, must, should } from "../../findings/sentences.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { type Deviation, type DrillCheck, toCheck } from "../verdicts/drill_check.ts";
import type { PageWatch, SecretName } from "./page_watch.ts";
import { beginsLogin } from "./variants/readers.ts";

/** What the logins of an application show together, by its name: those of the report. */
export type LoginCheckName =
  | `${"state" | "nonce" | "challenge"}-reused`
  | "challenge-missing"
  | "token-in-uri"
  | "keys-fetched-each-time"
  | "secret_in_page"
  | "secret_in_url";

export interface ComparedLogins {
  logins: ReadonlyArray<readonly WireRequest[]>;
  /** What the pages give away, if the drill visits the application. */
  pages: PageWatch | undefined;
}

/** One thing that the logins show together. */
export interface LoginCheck extends DrillCheck {
  id: LoginCheckName;
  /** Returns what is wrong; undefined if the logins show nothing about it. */
  compare(seen: ComparedLogins): Deviation[] | undefined;
  /** Whether a request shows it. By default, any does: it is in the pages of each login. */
  shows?(request: WireRequest): boolean;
}

const pageSecret =
  "Each script in the page can use the account of its user, or pass for the client.";

/** The parameters that must be new for each login. */
type FreshParameter = "state" | "nonce" | "code_challenge";

/** What a drill finds out by comparing its logins with each other. */
export const loginChecks: readonly LoginCheck[] = checksOf<LoginCheck>({
  // With PKCE, or a nonce that is compared, a state has nothing to protect.
  "state-reused": should("freshState", {
    ...freshParameter("state"),
    takes: "nothing",
    when: ["accepts callback.unsolicited"],
    gain:
      "An attacker's login is completed in the browser of a victim, who then uses their account.",
    cases: [{
      when: ["refuses callback.unsolicited"],
      takes: "nothing",
      size: "limit",
      gain: "Only PKCE or the nonce ties a response to its login here, and no state does.",
    }],
  }),
  "nonce-reused": must("freshChallenge", { ...freshParameter("nonce"), ...reusedTie }),
  "challenge-reused": must("freshChallenge", { ...freshParameter("code_challenge"), ...reusedTie }),
  "challenge-missing": must("tiedCode", {
    title: "Tie each code to its login with PKCE, or at least with a nonce",
    mistake: "Nothing ties a code to its login: there is neither PKCE nor a nonce",
    ...untiedCode,
    fix: "Send a code_challenge with each request, and its code_verifier with the code.",
    compare: findMissingChallenge,
    shows: beginsLogin,
  }),
  "token-in-uri": must("tokenInUri", {
    title: "A token or a secret must not be part of a URI",
    mistake: "A token or a secret is in a URI",
    ...secretInUri,
    fix: "Send tokens in the Authorization header, and secrets in the body of a POST.",
    compare: findTokensInUris,
    shows: ({ query }) => secretNames.some((name) => query.has(name)),
  }),
  "keys-fetched-each-time": should("keyCache", {
    kind: "interoperability",
    title: "Cache the key set, and fetch it again only for a kid that it does not contain",
    mistake: "Fetches the key set for each login",
    gain: "Each login waits for one more request, and fails while the keys cannot be reached.",
    fix: "Keep the key set in memory, and fetch it again when a token names a kid that it lacks.",
    compare: ({ logins }) => {
      const times = logins.filter((login) => login.some(({ endpoint }) => endpoint === "jwks"));
      if (times.length === 0 || logins.length < 3) return undefined;
      const isEach = times.length === logins.length;
      return isEach ? [{ received: `fetched in each of ${logins.length} logins` }] : [];
    },
    shows: ({ endpoint }) => endpoint === "jwks",
  }),
  // An ID token is for its client alone, which refuses the nonce of another login.
  secret_in_page: should("secrets", {
    takes: "a script",
    size: "limit",
    cases: [
      { when: ["with a refresh_token"], takes: "a script", gain: pageSecret },
      { when: ["with a client_secret"], takes: "a script", gain: pageSecret },
      {
        when: ["with a client that authenticates", "with an access_token"],
        takes: "a script",
        gain: pageSecret,
      },
    ],
    title: "Tokens and secrets should not be part of a page",
    mistake: "A token or a secret is in a page",
    gain: "Each script in the page can use what the token allows, until it expires.",
    fix: "Keep tokens on the server, and let the page call your own server with its session.",
    compare: ({ pages }) => pages && secretsIn("in", pages.secrets.page),
  }),
  secret_in_url: must("tokenInUri", {
    takes: "a log",
    size: "limit",
    eased: ["with an id_token"],
    title: "Tokens and secrets must not be part of a URL",
    mistake: "A token or a secret is in the URL of a page",
    gain: "It is in the history of browsers, in logs, and in Referer headers.",
    fix: "Keep tokens on the server, or send them in the body of a response.",
    compare: ({ pages }) => pages && secretsIn("in the URL of", pages.secrets.url),
  }),
});

/** Compares the logins of a drill, by their requests. */
export function compareLogins(
  checks: readonly LoginCheck[],
  seen: ComparedLogins,
  whereOf: (check: LoginCheck) => Finding["where"],
  facts: readonly SeenFact[],
): Check[] {
  if (seen.logins.length < 2) return [];
  return checks.flatMap((check) => {
    const wrong = check.compare(seen);
    return wrong ? [toCheck(check, { wrong }, whereOf(check), facts)] : [];
  });
}

function secretsIn(place: string, found: ReadonlyMap<SecretName, string>): Deviation[] {
  return [...found].map(([name, at]) => ({
    facts: [`with ${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`],
    received: `${name} ${place} ${at}`,
  }));
}

/** What a check of a parameter has that must be new for each login. */
function freshParameter(parameter: FreshParameter) {
  return {
    title: `Create a new ${parameter} for each request`,
    mistake: `Uses one ${parameter} for several logins`,
    fix: `Create it from random bytes when a request begins, and use it for that one only.`,
    shows: beginsLogin,
    compare(seen: ComparedLogins): Deviation[] | undefined {
      const times = timesOf(seen, parameter);
      if (times === 0) return undefined;
      if (times === 1) return [];
      return [{ received: `${times} logins with one ${parameter}` }];
    },
  };
}

function findMissingChallenge({ logins }: ComparedLogins): Deviation[] | undefined {
  const beginnings = logins.flatMap(beginningsOf);
  const sends = (name: FreshParameter) =>
    beginnings.some((each) => parameterOf(each, name) || parameterOf(each, "request"));
  if (beginnings.length === 0) return undefined;
  if (sends("code_challenge") || sends("nonce")) return [];
  if (sends("state")) return [{ received: "neither code_challenge nor nonce" }];
  return [{ facts: ["without a state"], received: "neither code_challenge, nonce nor state" }];
}

/** What must not be in a URI. */
const secretNames = ["refresh_token", "client_secret", "access_token"] as const;

function findTokensInUris({ logins }: ComparedLogins): Deviation[] {
  const sent = new Set(logins.flat().flatMap(({ query }) => [...query.keys()]));
  const names = secretNames.filter((name) => sent.has(name));
  return names.length > 0 ? [{ received: names.join(" and ") }] : [];
}

/** Returns in how many logins the commonest value came: 1 if it is new each time, 0 without any. */
function timesOf({ logins }: ComparedLogins, parameter: FreshParameter): number {
  const times = new Map<string, number>();
  for (const login of logins) {
    // A browser may send a request again, so a value counts once in each login.
    const values = beginningsOf(login).flatMap((each) => parameterOf(each, parameter) ?? []);
    for (const value of new Set(values)) times.set(value, (times.get(value) ?? 0) + 1);
  }
  return Math.max(0, ...times.values());
}

function beginningsOf(login: readonly WireRequest[]): WireRequest[] {
  return login.filter(beginsLogin);
}
