import type { CheckTable } from "../../../findings/sentences.ts";
import { commonForgeries, forgeJwt } from "../../faults/jwt_forgery.ts";
import { type ApiCheck, type CheckReading, isAccepted } from "../api_check.ts";
import { type ReadChallenge, readChallenges } from "../api_demands.ts";
import type { ApiResponse } from "../call_api.ts";
import { type ApiRequest, type DrilledApi, freshJwt, type SeenResponse } from "../drilled_api.ts";
import { largeToken } from "./observed_checks.ts";
import { may, should } from "./sentences.ts";

/** How often the time of each refusal is taken. */
const fewestRounds = 7;
const mostRounds = 40;

/** A difference that shows through the noise of a network and a busy machine, in milliseconds. */
const noticeable = 50;

/** Lines of stack traces, as languages print them. */
const stackTraces: readonly RegExp[] = [
  /\n\s+at \S.*[:(]\S+:\d+/, // JavaScript, Java, .NET
  /Traceback \(most recent call last\)/,
  /goroutine \d+ \[/,
  /Stack trace:\s+#0 /,
  /panicked at /,
];

/** What the refusals of an API look like. They are the last: they look at all that came before. */
export const responseChecks: CheckTable<ApiCheck> = {
  server_error: should("apiInvalidToken", {
    title: "A refused token should cause no server error",
    mistake: "Fails with a server error for a token that it refuses",
    gain: "Such requests fill the log with errors, and real ones go unnoticed.",
    fix: "Catch what your library throws, and respond with 401.",
    run: noneLike(
      ({ request: { what }, response }) => response.status >= 500 && what !== largeToken,
      ({ response }) => `status ${response.status}`,
    ),
  }),
  unauthorized: should("apiInvalidToken", {
    kind: "interoperability",
    title: "A request without a valid token should get 401, not 403",
    mistake: "Responds with 403 where a valid token is missing",
    gain: "A client takes 403 for a lack of rights: it never refreshes its token.",
    fix: "Respond with 401 to a missing, expired or unknown token; with 403 to a small scope.",
    run: findForbidden,
  }),
  challenge: should("apiChallenge", {
    kind: "interoperability",
    title: "A response with 401 should have a WWW-Authenticate header",
    mistake: "Responds with 401 without a WWW-Authenticate header",
    gain: "A client cannot tell what to do: refresh its token, or ask for more scopes.",
    fix: 'Send WWW-Authenticate: Bearer error="invalid_token".',
    run: noneLike(
      ({ response }) => response.status === 401 && challengeOf(response) === null,
      () => "no WWW-Authenticate",
    ),
  }),
  challenge_syntax: should("apiChallengeSyntax", {
    kind: "interoperability",
    title: "The syntax of WWW-Authenticate should be valid",
    mistake: "The syntax of WWW-Authenticate is wrong",
    gain: "Clients that parse the header fail.",
    fix: 'Write the scheme, one space, and parameters as name="value" with commas between them.',
    run: noneLike(
      ({ response }) => hasChallenges(response, (challenges) => challenges === undefined),
      ({ response }) => `WWW-Authenticate: ${challengeOf(response)?.slice(0, 200)}`,
    ),
  }),
  resource_metadata: should("apiMetadata", {
    kind: "interoperability",
    title: "A challenge should lead to the metadata that an API publishes",
    mistake: "No challenge leads to the metadata that the API publishes",
    gain: "Clients that know only the URL of the API, as those of MCP do, cannot find its server.",
    fix: "Name the URL of the metadata in 'resource_metadata'.",
    leftOut: ({ hasMetadata }) => hasMetadata ? undefined : "The API publishes no metadata.",
    run: noneLike(
      ({ response }) =>
        hasChallenges(response, (challenges = []) =>
          challenges.length > 0 &&
          challenges.every(({ parameters }) => parameters.resource_metadata === undefined)),
      () => "a challenge without resource_metadata",
    ),
  }),
  stack_trace: should("apiDetails", {
    title: "A response should show no stack trace",
    mistake: "A response shows a stack trace",
    gain: "An attacker learns which libraries, versions and paths the API has.",
    fix: "Log the error, and respond without it.",
    run: noneLike(
      ({ response: { text } }) => stackTraces.some((trace) => trace.test(asPlainText(text))),
      () => "a stack trace",
    ),
  }),
  token_in_answer: should("apiDetails", {
    title: "A response should not repeat the token",
    mistake: "A response repeats the token",
    takes: "a log",
    size: "limit",
    gain: "Logs and caches of responses are full of tokens that work.",
    fix: "Leave the token out of responses, errors and URLs.",
    run: noneLike(repeatsToken, () => "the token"),
  }),
  cacheable_page: should("apiCache", {
    title: "A response to a user should be in no shared cache",
    mistake: "Lets shared caches keep the response to a user",
    takes: "nothing",
    size: "small",
    gain: "A cache in front of the API sends what a user has seen to others, without a token.",
    fix: "Send Cache-Control: no-store or private; public and s-maxage are for what is public.",
    leftOut: ({ isOpen }) => isOpen ? "The API shows the same without a token." : undefined,
    run: findCacheable,
  }),
  app_cors: should("apiCors", {
    title: "No other site should be allowed to read responses with credentials",
    mistake: "Allows any site to read responses with the credentials of a browser",
    gain: "Once a cookie or a client certificate signs in as well, any site reads as its user.",
    takes: "a browser",
    size: "limit",
    fix: "List the origins of your own sites, and compare the whole Origin with them.",
    run: findCors,
  }),
  timing: may("apiTiming", {
    title: "A refusal should take as long as any other",
    mistake: "Some refusals take longer than others",
    gain:
      "An attacker learns from the time why a token was refused: whether it exists, for example.",
    fix: "Do the same work for each token: one verification, or one introspection.",
    run: compareTimes,
  }),
};

/** Returns the run of a check that gives one piece of advice for all responses of a kind. */
function noneLike(
  isLike: (each: SeenResponse) => boolean,
  describe: (each: SeenResponse) => string,
): ApiCheck["run"] {
  return async (api) => {
    const alike = api.seen.filter(isLike).map(({ request }) => request);
    const others = new Set(alike.map(({ what }) => what)).size - 1;
    const more = others > 0 ? `, and ${others} more` : "";
    // An API that knows no DPoP refuses it first; a plain request is the better example.
    for (const request of alike.toSorted((one, other) => rankOf(one) - rankOf(other))) {
      // What came by chance, or before a nonce was known, is not alike again.
      const again = { request, response: await api.send(request) };
      if (isLike(again)) {
        return { wrong: [{ received: `${describe(again)} for ${request.what}${more}` }] };
      }
    }
    return {};
  };
}

function rankOf({ proof }: ApiRequest): number {
  return proof ? 1 : 0;
}

function repeatsToken({ request: { headers = {}, what }, response }: SeenResponse): boolean {
  const [token] = /[^ ]{40}$/.exec(headers.Authorization ?? "") ?? [];
  const texts = [response.text, ...response.headers.values()];
  return token !== undefined && what !== largeToken && texts.some((text) => text.includes(token));
}

async function findCacheable(api: DrilledApi): Promise<CheckReading> {
  const { headers } = await api.send(await api.present(await api.mint(), "a valid token"));
  const [cache, vary] = [headers.get("Cache-Control") ?? "", headers.get("Vary") ?? ""];
  const isShared = /\bs-maxage=[1-9]/i.test(cache) ||
    (/\bpublic\b/i.test(cache) && /\bmax-age=[1-9]/i.test(cache));
  const isKept = isShared && !/no-store|no-cache|private/i.test(cache);
  const isWrong = isKept && !/\*|authorization/i.test(vary);
  return isWrong ? { wrong: [{ received: `Cache-Control: ${cache}` }] } : {};
}

async function findCors(api: DrilledApi): Promise<CheckReading> {
  const valid = await api.present(await api.mint(), "a valid token from another site");
  const { host, origin } = new URL(api.url);
  const origins = ["https://attacker.example", "null", `https://${host}.attacker.example`];
  for (const Origin of [...origins, `${origin}.attacker.example`]) {
    const { headers } = await api.send({ ...valid, headers: { ...valid.headers, Origin } });
    const isAllowed = headers.get("Access-Control-Allow-Origin") === Origin &&
      headers.get("Access-Control-Allow-Credentials") === "true";
    if (isAllowed) return { wrong: [{ received: `it allows the origin ${Origin}` }] };
  }
  return {};
}

/** Frameworks show a stack trace in JSON, or as HTML. */
function asPlainText(text: string): string {
  return text.replace(/\\n|<br ?\/?>/g, "\n").replaceAll("&nbsp;", " ");
}

async function findForbidden(api: DrilledApi): Promise<CheckReading> {
  const expired = await api.present(await api.mint({ expiresIn: "-1h" }), "an expired token");
  const wrong = [];
  for (const request of [{ what: "a request without a token" }, expired]) {
    const { status } = await api.send(request);
    if (status === 403) wrong.push({ received: `status 403 for ${request.what}` });
  }
  return { wrong };
}

function challengeOf({ headers }: ApiResponse): string | null {
  return headers.get("WWW-Authenticate");
}

/** Whether a refusal has a header whose challenges are of a kind; undefined if none can be read. */
function hasChallenges(
  response: ApiResponse,
  areLike: (challenges: ReadChallenge[] | undefined) => boolean,
): boolean {
  const header = challengeOf(response);
  return response.status === 401 && header !== null && areLike(readChallenges(header));
}

/**
 * Compares the times of refusals, in turns, and of each kind the shortest: what else runs makes only
 * some longer. A difference counts if it shows each time.
 */
async function compareTimes(api: DrilledApi): Promise<CheckReading> {
  const times = new Map<string, number[]>();
  for (let round = 1; round <= mostRounds; round++) {
    for (const [what, token] of await refusedTokens(api)) {
      const response = await api.send(await api.present(token, what));
      if (!isAccepted(response)) times.set(what, [...times.get(what) ?? [], response.took]);
    }
    if (round < fewestRounds) continue;
    const sorted = [...times].map(([what, all]) => ({ what, all, time: Math.min(...all) }))
      .sort((one, other) => one.time - other.time);
    const [fastest, slowest] = [sorted[0], sorted.at(-1)];
    if (!fastest || !slowest || slowest.time - fastest.time < noticeable) return {};
    const isAlways = slowest.all.every((time, at) => time - fastest.all[at]! >= noticeable);
    if (!isAlways) continue;
    const describe = ({ what, time }: typeof fastest) => `${Math.round(time)} ms for ${what}`;
    return { wrong: [{ received: `${describe(slowest)}, and ${describe(fastest)}` }] };
  }
  return { note: "The times of refusals vary too much to be compared." };
}

async function refusedTokens(api: DrilledApi): Promise<Array<[what: string, token: string]>> {
  const tokens: Array<[string, string]> = [
    ["an unknown token", `unknown-${crypto.randomUUID()}`],
    ["an expired token", await api.mint({ expiresIn: "-1h" })],
  ];
  if (!api.jwt) return tokens;
  const { foreign_signature: foreign } = commonForgeries;
  return [
    ...tokens,
    ["a token of another key", await forgeJwt(api.lab, freshJwt(api), foreign)],
  ];
}
