import { storeNewRefreshToken } from "../../../../server/protocol/credential_rules.ts";
import { describeVerifier, isCodeVerifier } from "../../../../server/protocol/pkce.ts";
import { type CheckTable, must, should } from "../../../findings/sentences.ts";
import { type Exchange, tokenOf } from "../../../recording/exchange.ts";
import { refusalEventOf } from "../../../recording/refusal.ts";
import { groupBy } from "../../../util/lists.ts";
import {
  type Evidence,
  evidence,
  exchangesAt,
  membersOf,
  refreshesIn,
  repeated,
  type ReportCheck,
  type ServerHistory,
} from "../report_check.ts";

/** What a client can do wrong with codes and tokens. */
export const usedTokenChecks: CheckTable<ReportCheck> = {
  "short-verifier": must("verifier", {
    kind: "interoperability",
    title: "A code_verifier is not 43 to 128 of the characters A-Z a-z 0-9 - . _ ~.",
    fix: "Create the verifier from 32 random bytes, as base64url: 43 characters.",
    find: (history) => exchangesAt(history, "token").flatMap(malformedVerifier),
  }),
  "secret-of-public-client": should("publicSecret", {
    title: "A public client sends a secret.",
    fix: "Leave the secret out, or register the client as confidential and keep the secret on a " +
      "server.",
    find: ({ exchanges }) =>
      exchanges.flatMap((exchange) => {
        const { rule, parameter } = refusalEventOf(exchange) ?? {};
        return rule === "client.no_secret" ? [evidence([exchange], "a secret", parameter)] : [];
      }),
  }),
  "code-redeemed-twice": must("codeOnce", {
    kind: "interoperability",
    title: "A code is redeemed twice, which revokes everything that the first use returned.",
    fix:
      "Let one place handle the callback, and remove the code from the address of the page once " +
      "it is redeemed.",
    find: (history) => usedAgain(exchangesAt(history, "token"), "code", issuedToken),
  }),
  "refresh-retried-after-rotation": must("refreshReplaced", {
    kind: "interoperability",
    title: "A refresh token is used that was replaced, which revokes the authorization.",
    fix: storeNewRefreshToken,
    find: (history) => usedAgain(refreshesIn(history), "refresh_token", replacedToken),
  }),
  "parallel-refresh": should("refreshTwice", {
    kind: "interoperability",
    title: "Two refreshes run at once: the second one looks like a stolen token.",
    fix: "Share one refresh among all requests that wait for a new access token. Many servers " +
      "repeat their response for some seconds; others sign the user out.",
    find: (history) =>
      repeated(
        refreshesIn(history),
        ({ request }) => request.form.get("refresh_token") ?? undefined,
      )
        .filter((group) => group.some((one) => group.some((other) => areParallel(one, other))))
        .map((group) => evidence(group, `${group.length} parallel refreshes`, "refresh_token")),
  }),
  "wrong-audience": should("tokenAudience", {
    title: "An access token is sent to an audience that it does not name.",
    fix:
      "Ask for a token for this API with the parameter resource, and keep one token for each API.",
    find: (history) =>
      exchangesAt(history, "userinfo")
        .filter((exchange) => refusalEventOf(exchange)?.rule === "token.audience")
        .filter(({ request }) => !isForged(history, tokenOf(request)))
        .map((exchange) =>
          evidence([exchange], "a token for a different audience", "Authorization")
        ),
  }),
  "keys-fetched-each-time": should("newKey", {
    kind: "interoperability",
    title: "The key set is fetched again and again, for keys that it has contained.",
    fix: "Keep the key set in memory, and fetch it again when a token names a kid that it lacks.",
    find: keysFetchedEachTime,
  }),
};

function malformedVerifier(exchange: Exchange): Evidence[] {
  const verifier = exchange.request.form.get("code_verifier");
  if (verifier === null || isCodeVerifier(verifier)) return [];
  return [evidence([exchange], `a verifier of ${describeVerifier(verifier)}`, "code_verifier")];
}

/**
 * Finds uses of a value after a successful one was over. A client that got no response may try
 * again.
 */
function usedAgain(
  exchanges: readonly Exchange[],
  name: string,
  isSpent: (exchange: Exchange) => boolean,
): Evidence[] {
  return repeated(exchanges, ({ request }) => request.form.get(name) ?? undefined)
    .flatMap(usesByGrant)
    .flatMap((group) => {
      const first = group.find((each) => each.response?.status === 200 && isSpent(each));
      const later = group.filter((each) => first && each.span[0] > first.span[1]);
      if (!first || later.length === 0) return [];
      return [evidence([first, ...later], `one ${name}, ${later.length + 1} times`, name)];
    });
}

/** Splits the uses of a value where it was issued again, because a test chose it more than once. */
function usesByGrant(uses: readonly Exchange[]): Exchange[][] {
  const groups: Exchange[][] = [];
  let grant: string | undefined;
  for (const use of uses) {
    const { authorization } = use.concerns;
    const isOfOther = [authorization, grant].every(Boolean) && authorization !== grant;
    if (isOfOther || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(use);
    grant = authorization ?? grant;
  }
  return groups;
}

function issuedToken(exchange: Exchange): boolean {
  return membersOf(exchange).access_token !== undefined;
}

function replacedToken(exchange: Exchange): boolean {
  const { refresh_token: next } = membersOf(exchange);
  return next !== undefined && next !== exchange.request.form.get("refresh_token");
}

function areParallel(one: Exchange, other: Exchange): boolean {
  return one.id < other.id && one.span[0] < other.span[1] && other.span[0] < one.span[1];
}

/**
 * Whether a fault gave the token its audience. A client cannot know: it does not read the token.
 */
function isForged({ exchanges }: ServerHistory, token: string | undefined): boolean {
  return exchanges.some((each) =>
    each.faults.includes("access_token.wrong_aud") && membersOf(each).access_token === token
  );
}

/** A fetch names no client: it is that of the client which got the last tokens before it. */
function keysFetchedEachTime(history: ServerHistory): Evidence[] {
  const issued = exchangesAt(history, "token")
    .filter(({ response }) => response?.status === 200);
  const clientOf = ({ id }: Exchange) => issued.findLast((each) => each.id < id)?.request.client;
  const fetches = exchangesAt(history, "jwks");
  const clients = new Set(fetches.flatMap((each) => clientOf(each) ?? []));
  // With one client, the fetches before its first tokens are its own as well.
  const [only] = clients.size === 1 ? clients : [];
  return groupBy(fetches, (each) => only ?? clientOf(each) ?? "").flatMap((group) => {
    const client = only ?? clientOf(group[0]);
    const logins = issued.filter(({ request }) => request.client === client).length;
    if (group.length <= 2 || group.length < logins) return [];
    return [{ ...evidence(group, `fetched ${group.length} times`), client }];
  });
}
