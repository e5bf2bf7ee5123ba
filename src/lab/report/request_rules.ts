import type { Exchange } from "../recording/exchange.ts";
import { at, type Evidence, type LabHistory, repeated, type ReportRule } from "./report_rule.ts";

/** What a client can do wrong when it asks. */
export const requestRules: readonly ReportRule[] = [
  reused("challenge-reused", "code_challenge", "OAuth 2.1, section 7.5.1"),
  reused("state-reused", "state", "RFC 9700, section 4.7.1"),
  reused("nonce-reused", "nonce", "OpenID Connect Core, section 3.1.2.1"),
  {
    id: "plain-challenge",
    kind: "violation",
    says: "The code_challenge_method must be S256; plain, or none, protects nothing.",
    see: "OAuth 2.1, section 4.1.1",
    find: (history) =>
      requests(history).filter(({ request }) => {
        const method = parameter(request, "code_challenge_method");
        return parameter(request, "code_challenge") !== undefined && method !== "S256";
      }).map((exchange) =>
        evidence(
          exchange,
          `code_challenge_method=${
            parameter(exchange.request, "code_challenge_method") ?? "(none)"
          }`,
        )
      ),
  },
  {
    id: "secret-in-uri",
    kind: "violation",
    says: "What is secret belongs into the body or a header, never into a URI.",
    see: "OAuth 2.1, section 2.4.1",
    find: ({ exchanges }) =>
      exchanges.flatMap((exchange) =>
        secretsOfUri.filter((name) => exchange.request.query.has(name)).map((name) =>
          evidence(exchange, name)
        )
      ),
  },
  {
    id: "token-in-uri",
    kind: "violation",
    says: "An access token must never stand in a URI.",
    see: "OAuth 2.1, section 5.1",
    find: ({ exchanges }) =>
      exchanges.filter(({ request }) => request.query.has("access_token")).map((exchange) =>
        evidence(exchange, "access_token")
      ),
  },
  {
    id: "neither-state-nor-nonce",
    kind: "advice",
    says:
      "A state or a nonce ties the answer to the browser that asked; PKCE alone protects only the code.",
    see: "RFC 9700, section 4.7.1",
    find: (history) =>
      requests(history).filter(({ request }) =>
        parameter(request, "state") === undefined && parameter(request, "nonce") === undefined
      )
        .map((exchange) => evidence(exchange, "neither state nor nonce")),
  },
];

const secretsOfUri = ["client_secret", "code_verifier", "refresh_token", "client_assertion"];

/** A value that must be new each time. The same request, sent or loaded again, is a second one only if its answer was used as well. */
function reused(id: string, name: string, see: string): ReportRule {
  return {
    id,
    kind: "violation",
    says: `The ${name} must be made anew for each request.`,
    see,
    find: (history) =>
      repeated(requests(history), ({ request }) => parameter(request, name))
        .map(([, group]) =>
          group.filter((exchange, place) =>
            !group.some((other, at) => isOnlyAgain(history, [other, at], [exchange, place]))
          )
        )
        .filter((group) => group.length > 1)
        .map((group): Evidence => ({
          client: group[0].request.client,
          seen: `${group.length} requests with one ${name}`,
          exchanges: group.map((each) => each.id),
        })),
  };
}

/** Authorization requests, pushed or not; one that was pushed is not counted again. */
function requests(history: LabHistory): Exchange[] {
  const direct = at(history, "/oauth2/authorize").filter(({ request }) =>
    !request.query.has("request_uri") && !request.query.has("request")
  );
  return [
    ...direct,
    ...at(history, "/oauth2/par").filter(({ request: wireRequest }) =>
      !wireRequest.form.has("request")
    ),
  ];
}

function parameter({ query, form }: Exchange["request"], name: string): string | undefined {
  return query.get(name) || form.get(name) || undefined;
}

type PlacedExchange = [exchange: Exchange, place: number];

/** Of the same request, sent several times, those whose answers led to tokens count each; where there is none, the first. */
function isOnlyAgain(
  history: LabHistory,
  [other, at]: PlacedExchange,
  [exchange, place]: PlacedExchange,
): boolean {
  if (at === place || !isSame(other, exchange) || wasRedeemed(history, exchange)) return false;
  return at < place || wasRedeemed(history, other);
}

function wasRedeemed({ flows }: LabHistory, { id }: Exchange): boolean {
  const flow = flows.find(({ steps }) => steps.some(({ exchange }) => exchange === id));
  return flow?.steps.some(({ what, status }) => what === "redeemed" && status === 200) ?? false;
}

/** A client that tries again proves anew who it is. */
function isSame({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return withoutProof(one) === withoutProof(other);
}

function withoutProof({ method, url, form }: Exchange["request"]): string {
  const rest = [...form].filter(([name]) => name !== "client_assertion");
  return `${method} ${url} ${new URLSearchParams(rest)}`;
}

function evidence({ id, request }: Exchange, seen: string): Evidence {
  return {
    client: request.client,
    seen: `${request.method} ${request.path}: ${seen}`,
    exchanges: [id],
  };
}
