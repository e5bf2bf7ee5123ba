import { readJwt } from "../recording/credentials.ts";
import { type Exchange, headerOf, jsonOf, tokenOf } from "../recording/exchange.ts";
import { at, type Evidence, type LabHistory, repeated, type ReportRule } from "./report_rule.ts";

/** What a client can do wrong with codes and tokens. */
export const tokenRules: readonly ReportRule[] = [
  {
    id: "short-verifier",
    kind: "violation",
    says: "A code_verifier has 43 to 128 characters of A-Z a-z 0-9 - . _ ~.",
    see: "RFC 7636, section 4.1",
    find: (history) =>
      at(history, "/oauth2/token").filter(({ request }) =>
        !/^[\w.~-]{43,128}$/.test(request.form.get("code_verifier") ?? "-".repeat(43))
      )
        .map((exchange) =>
          evidence(
            [exchange],
            `a verifier of ${exchange.request.form.get("code_verifier")!.length} characters`,
          )
        ),
  },
  {
    id: "secret-of-public-client",
    kind: "violation",
    says: "A public client has no secret, and must not send one.",
    see: "OAuth 2.1, section 2.4",
    find: ({ exchanges }) =>
      exchanges.filter((exchange) => exchange.secretOfPublicClient).map((each) =>
        evidence([each], "a secret")
      ),
  },
  {
    id: "code-redeemed-twice",
    kind: "violation",
    says: "A code is used once; a second use revokes everything that came of the first.",
    see: "OAuth 2.1, section 4.1.2",
    find: (history) => usedAgain(at(history, "/oauth2/token"), "code", gaveToken),
  },
  {
    id: "refresh-retried-after-rotation",
    kind: "violation",
    says:
      "A refresh token that was replaced is worth nothing; presenting it again revokes the authorization.",
    see: "OAuth 2.1, section 4.3.1",
    find: (history) => usedAgain(refreshes(history), "refresh_token", wasReplaced),
  },
  {
    id: "parallel-refresh",
    kind: "violation",
    says: "Only one refresh at a time: of two in parallel, one takes the other for a thief.",
    see: "OAuth 2.1, section 4.3.1",
    find: (history) =>
      repeated(refreshes(history), ({ request }) => request.form.get("refresh_token") ?? undefined)
        .filter(([, group]) =>
          group.some((one) => group.some((other) => one.id < other.id && overlap(one, other)))
        )
        .map(([, group]) => evidence(group, `${group.length} refreshes side by side`)),
  },
  {
    id: "wrong-audience",
    kind: "violation",
    says: "An access token is sent to those whom its audience names, and to nobody else.",
    see: "RFC 9700, section 4.10.2",
    find: (history) =>
      at(history, "/oauth2/userinfo").filter(({ request }) =>
        !isFor(tokenOf(request), history.issuer) && !isForged(history, tokenOf(request))
      )
        .map((exchange) => evidence([exchange], "a token that is meant for another audience")),
  },
  {
    id: "keys-fetched-each-time",
    kind: "advice",
    says: "Keep the key set, and fetch it again for a kid that it does not have.",
    see: "OpenID Connect Core, section 10.1.1",
    find: (history) => {
      const fetched = at(history, "/oauth2/jwks");
      const issued = at(history, "/oauth2/token").filter(({ response }) =>
        response?.status === 200
      );
      return fetched.length > 2 && fetched.length >= issued.length
        ? [evidence(fetched, `fetched ${fetched.length} times`)]
        : [];
    },
  },
  {
    id: "retry-after-ignored",
    kind: "advice",
    says: "Retry-After says when to come back; sooner is too soon.",
    see: "RFC 9110, section 10.2.3",
    find: ({ exchanges }) =>
      exchanges.flatMap((refused) => {
        const seconds = Number(refused.response && headerOf(refused.response, "Retry-After"));
        const again = exchanges.find((next) =>
          next.id > refused.id && isSameCall(next, refused) && next.at - refused.at < seconds * 1000
        );
        return again
          ? [
            evidence(
              [refused, again],
              `after ${(again.at - refused.at) / 1000} of ${seconds} seconds`,
            ),
          ]
          : [];
      }),
  },
];

function refreshes(history: LabHistory): Exchange[] {
  return at(history, "/oauth2/token").filter(({ request }) =>
    request.form.get("grant_type") === "refresh_token"
  );
}

/** Uses of a value after one that succeeded and was over. Whoever got no answer may try again. */
function usedAgain(
  exchanges: readonly Exchange[],
  name: string,
  isSpent: (exchange: Exchange) => boolean,
): Evidence[] {
  return repeated(exchanges, ({ request }) => request.form.get(name) ?? undefined).flatMap(
    ([, group]) => {
      const first = group.find((exchange) =>
        exchange.response?.status === 200 && isSpent(exchange)
      );
      const later = group.filter((exchange) => first && exchange.span[0] > first.span[1]);
      return first && later.length > 0
        ? [evidence([first, ...later], `one ${name}, ${later.length + 1} times`)]
        : [];
    },
  );
}

/** An answer that breaks off gave nothing, whatever its status. */
function gaveToken({ response }: Exchange): boolean {
  return jsonOf(response!)?.access_token !== undefined;
}

/** No client can know: it does not look into access tokens. */
function isForged({ exchanges }: LabHistory, token: string | undefined): boolean {
  return exchanges.some(({ faults, response }) =>
    faults.includes("access_token.wrong_aud") && jsonOf(response!)?.access_token === token
  );
}

function wasReplaced({ request, response }: Exchange): boolean {
  const next = jsonOf(response!)?.refresh_token;
  return next !== undefined && next !== request.form.get("refresh_token");
}

function overlap(
  { span: [began, ended] }: Exchange,
  { span: [otherBegan, otherEnded] }: Exchange,
): boolean {
  return began < otherEnded && otherBegan < ended;
}

function isFor(token: string | undefined, audience: string): boolean {
  const aud = token === undefined ? undefined : readJwt(token)?.claims.aud;
  return aud === undefined || [aud].flat().includes(audience);
}

function isSameCall({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return one.path === other.path && one.client === other.client;
}

function evidence(exchanges: readonly Exchange[], seen: string): Evidence {
  const [{ request }] = exchanges;
  return {
    client: request.client,
    seen: `${request.method} ${request.path}: ${seen}`,
    exchanges: exchanges.map(({ id }) => id),
  };
}
