import { lazily } from "../../../../server/util/values/memoize.ts";
import { reusedTie, secretInUri, untiedCode } from "../../../findings/request_classes.ts";
import { type CheckTable, must, should } from "../../../findings/sentences.ts";
import { type Exchange, intendedForm, reliesOnNonce } from "../../../recording/exchange.ts";
import { callbackIn, memberOf } from "../../../recording/wire_callback.ts";
import { responseTypeOf } from "../../../recording/wire_request.ts";
import { groupBy } from "../../../util/lists.ts";
import { maxNameLength } from "../refused_requests.ts";
import {
  type Evidence,
  evidence,
  exchangesAt,
  repeated,
  type ReportCheck,
  responsesByToken,
  type ServerHistory,
} from "../report_check.ts";

const secretParameters = ["client_secret", "code_verifier", "refresh_token", "client_assertion"];

/** What a client can do wrong in its requests. */
export const sentRequestChecks: CheckTable<ReportCheck> = {
  "challenge-reused": must("freshChallenge", { ...freshValue("code_challenge"), ...reusedTie }),
  // With PKCE or a nonce, a state has nothing to protect.
  "state-reused": must("freshState", {
    ...freshValue("state"),
    takes: "a login",
    eased: ["with another value that is new"],
  }),
  "nonce-reused": must("freshChallenge", { ...freshValue("nonce"), ...reusedTie }),
  "plain-challenge": must("s256", {
    takes: "a code",
    title: "The code_challenge_method is not S256, so the challenge protects nothing.",
    fix: "Send code_challenge_method=S256, with the base64url of the verifier's SHA-256.",
    find: (history) => authorizationRequests(history).flatMap(plainChallenge),
  }),
  "secret-in-uri": must("secretInUri", {
    title: "A secret is in a URI.",
    ...secretInUri,
    fix: "Send the parameter in the body of a POST request, " +
      "or the secret in the Authorization header.",
    find: ({ exchanges }) =>
      exchanges.filter(({ request }) => request.query.size > 0).flatMap((exchange) =>
        secretParameters.filter((name) => exchange.request.query.has(name))
          .map((name) => evidence([exchange], name, name))
      ),
  }),
  "token-in-uri": must("tokenInUri", {
    title: "An access token is in a URI.",
    ...secretInUri,
    fix: "Send the token in the header: Authorization: Bearer TOKEN.",
    find: tokensInUris,
  }),
  "challenge-missing": must("tiedCode", {
    title: "Nothing ties a code to its login: there is neither PKCE nor a nonce.",
    ...untiedCode,
    // Libraries for one provider rarely do more than it asks for, which their users cannot mend.
    unless: ["with a provider that needs neither"],
    eased: ["with a provider that needs neither"],
    fix: "Send a code_challenge with each request, and its code_verifier with the code.",
    find: findMissingChallenges,
  }),
  "nonce-instead-of-challenge": should("pkceRecommended", {
    title: "There is no PKCE: only the client's check of the nonce keeps out a stolen code.",
    fix: "Send a code_challenge with each request. Until then, compare the nonce of the ID token " +
      "before you use any other token.",
    find: (history) =>
      [
        ...requestsWithoutChallenge(history).filter(({ request }) => parameter(request, "nonce")),
        // A request object may have the nonce.
        ...history.exchanges.filter((exchange) =>
          reliesOnNonce(exchange) && intendedForm(exchange.request).has("request")
        ),
      ].map((exchange) => evidence([exchange], "a nonce, no code_challenge", "code_challenge")),
  }),
  "front-channel-id-token": should("responseType", {
    title:
      "An ID token is in the authorization response, which needs a leniency, and passes through " +
      "the browser.",
    fix: "Ask for response_type=code, and read the ID token from the token response.",
    find: (history) =>
      authorizationRequests(history)
        .filter(({ request }) => {
          const type = responseTypeOf(request);
          return type !== undefined && type !== "code";
        })
        .filter((exchange) => !wasRejected(exchange, history))
        .map((exchange) =>
          evidence(
            [exchange],
            `response_type=${parameter(exchange.request, "response_type")}`,
            "response_type",
          )
        ),
  }),
};

/** The request itself names no client, but the token was issued to one. */
function tokensInUris(history: ServerHistory): Evidence[] {
  const uses = history.exchanges.filter(({ request }) => request.query.has("access_token"));
  if (uses.length === 0) return [];
  const responses = responsesByToken(history);
  return uses.map((use) => {
    const issuing = responses.get(use.request.query.get("access_token"));
    const found = evidence([use], "access_token", "access_token");
    return { ...found, client: found.client ?? issuing?.request.client };
  });
}

/** Returns the requests for a code that the server let go on without a code_challenge. */
function requestsWithoutChallenge(history: ServerHistory): Exchange[] {
  return authorizationRequests(history)
    .filter(({ request }) => asksForCode(request) && !parameter(request, "code_challenge"))
    .filter((exchange) => !wasRejected(exchange, history));
}

function findMissingChallenges(history: ServerHistory): Evidence[] {
  return requestsWithoutChallenge(history)
    .filter(({ request }) => !parameter(request, "nonce"))
    .map((exchange) => {
      const hasState = parameter(exchange.request, "state") !== undefined;
      const missing = hasState
        ? "neither code_challenge nor nonce"
        : "no challenge, nonce or state";
      return {
        ...evidence([exchange], missing, "code_challenge"),
        facts: [
          hasState ? "with a state" : "without a state",
          ...history.needsNoPkce ? ["with a provider that needs neither"] as const : [],
        ],
      };
    });
}

/** Whether a request asks for a code, and therefore needs a challenge. */
function asksForCode(request: Exchange["request"]): boolean {
  const type = responseTypeOf(request);
  return type === "code" || type === "code id_token";
}

/** Whether the server responded to a request with an error. */
function wasRejected({ response }: Exchange, { issuer }: ServerHistory): boolean {
  if (!response || response.status >= 400) return true;
  return memberOf(callbackIn(response, issuer), "error") !== undefined;
}

function plainChallenge(exchange: Exchange): Evidence[] {
  const method = parameter(exchange.request, "code_challenge_method");
  if (parameter(exchange.request, "code_challenge") === undefined || method === "S256") return [];
  const seen = `code_challenge_method=${method ?? "(none)"}`;
  return [evidence([exchange], seen, "code_challenge_method")];
}

/**
 * A value that must be new for each request. A repeated request counts only if it led to tokens
 * too.
 */
function freshValue(
  name: "state" | "nonce" | "code_challenge",
): Pick<ReportCheck, "title" | "fix" | "find"> {
  return {
    title: `The ${name} of an earlier request is used again.`,
    fix:
      `Create the ${name} from random bytes when a request begins, and use it for that one only.`,
    find: (history) => {
      const redeemed = lazily(() => redeemedRequests(history));
      const valueOf = ({ request }: Exchange) => {
        const value = parameter(request, name);
        return value && JSON.stringify([request.client?.slice(0, maxNameLength), value]);
      };
      return repeated(authorizationRequests(history), valueOf)
        .map((group) => withoutRetries(group, redeemed()))
        .filter((group) => group.length > 1)
        .map((group): Evidence => ({
          client: group[0]?.request.client,
          received: `${group.length} requests with one ${name}`,
          parameter: name,
          exchanges: group.map((each) => each.id),
          ...["code_challenge", "nonce"].some((other) => isFresh(group, other)) &&
            { facts: ["with another value that is new"] },
        }));
    },
  };
}

function isFresh(group: readonly Exchange[], name: string): boolean {
  const values = group.map(({ request }) => parameter(request, name));
  return !values.includes(undefined) && new Set(values).size === values.length;
}

/** Returns the authorization requests, pushed or not; a pushed one counts once. */
function authorizationRequests(history: ServerHistory): Exchange[] {
  const direct = exchangesAt(history, "authorize")
    .filter(({ request: { query } }) => !query.has("request_uri") && !query.has("request"));
  const pushed = exchangesAt(history, "par")
    .filter(({ request: { form } }) => !form.has("request"));
  return [...direct, ...pushed];
}

function parameter({ query, form }: Exchange["request"], name: string): string | undefined {
  return query.get(name) || form.get(name) || undefined;
}

/**
 * Leaves out what only repeats another request of a group: the same one, sent or loaded again. Each
 * that led to tokens counts; if none did, the first one counts.
 */
function withoutRetries(
  group: readonly Exchange[],
  redeemed: ReadonlySet<number>,
): Exchange[] {
  const nameOf = ({ request: { method, url, form } }: Exchange) => {
    const rest = new URLSearchParams(form);
    // A client signs a new one for each attempt.
    rest.delete("client_assertion");
    return `${method} ${url} ${rest}`;
  };
  const kept = groupBy(group, nameOf).flatMap((same) => {
    const successful = same.filter(({ id }) => redeemed.has(id));
    return successful.length > 0 ? successful : [same[0]];
  });
  return kept.sort((one, other) => one.id - other.id);
}

/** Returns the ids of the requests of flows that led to tokens. */
function redeemedRequests({ flows }: ServerHistory): Set<number> {
  const redeemed = flows().filter(({ steps }) =>
    steps.some(({ what, status }) => what === "redeemed" && status === 200)
  );
  return new Set(redeemed.flatMap(({ steps }) => steps.map(({ exchange }) => exchange)));
}
