import { counted } from "../../../../server/util/time/duration.ts";
import { type CheckTable, must, should } from "../../../findings/sentences.ts";
import { type Exchange, intendedForm, tokenOf } from "../../../recording/exchange.ts";
import { groupBy } from "../../../util/lists.ts";
import { faultsUntil, flowsByExchange } from "../refused_requests.ts";
import {
  type Evidence,
  evidence,
  exchangesAt,
  membersOf,
  repeated,
  type ReportCheck,
  responsesByToken,
  type ServerHistory,
} from "../report_check.ts";

/** What a client can do wrong with what it got. */
export const usedResponseChecks: CheckTable<ReportCheck> = {
  "flow-ends-at-callback": should("codeExpires", {
    kind: "interoperability",
    title: "The client got a code, and sent no token request before the code expired.",
    fix: "Handle the callback at the redirect URI, compare its iss with the issuer as the " +
      "metadata spells it, and redeem its code at once.",
    find: (history) =>
      expiredCodes(history).filter(({ attempts }) => attempts.length === 0)
        .map(({ issuing, client }) => ({
          ...evidence([issuing], "its code was never sent to the token endpoint", "code"),
          client,
        })),
  }),
  "code-not-redeemed": should("codeExpires", {
    kind: "interoperability",
    title: "The client sent a code to the token endpoint, but got no tokens for it.",
    fix: "Look at the refused token requests of the flow: each names the rule that it broke.",
    find: (history) =>
      expiredCodes(history).flatMap(({ issuing, client, attempts: [first, ...later] }) => {
        if (!first) return [];
        const attempts = [first, ...later] as const;
        const found = evidence(attempts, counted(attempts.length, "failed attempt"), "code");
        return [{ ...found, client, exchanges: [issuing.id, ...found.exchanges] }];
      }),
  }),
  "asked-scope-kept": should("refreshScope", {
    kind: "interoperability",
    title: "A refresh asks for more than the scope that was granted.",
    fix: "Store the scope of the token response, which may be narrower than the requested one.",
    find: (history) => refreshesBeyondScope(history),
  }),
  "token-type-ignored": must("dpopScheme", {
    kind: "interoperability",
    // What it does not understand, a client can only take for the type that it knows.
    eased: ["with an unknown type"],
    title: "An access token is not used as the token_type of its response says.",
    fix: "Store the token_type with the token, and send it as Bearer only if the type is Bearer.",
    find: (history) =>
      usesOfTokens(history)
        .filter(({ issued, use }) => ![undefined, schemeOf(use)].includes(tokenTypeOf(issued)))
        .map(({ issuing, issued, use }): Evidence => {
          const type = tokenTypeOf(issued);
          const received = `${schemeOf(use)} for a token of the type ${type}`;
          return {
            ...evidence([use, issuing], received, "Authorization"),
            ...type !== "bearer" && type !== "dpop" && { facts: ["with an unknown type"] },
          };
        }),
  }),
  "lifetime-ignored": should("expiresIn", {
    kind: "interoperability",
    title: "An access token is sent again that has expired by the expires_in of its response.",
    fix: "Store when the token expires, and refresh it then, or at the latest after the first 401.",
    find: lateUses,
  }),
};

/** Finds codes that expired, other than those of a flow in which a fault may be the reason. */
function expiredCodes(history: ServerHistory): Array<{
  issuing: Exchange;
  client: string;
  /** The token requests with the code. */
  attempts: Exchange[];
}> {
  const redeeming = byAuthorization(
    exchangesAt(history, "token").filter(({ request }) => intendedForm(request).has("code")),
  );
  const flowOf = flowsByExchange(history.flows());
  const byId = new Map(history.exchanges.map((exchange) => [exchange.id, exchange]));
  return history.exchanges.flatMap((issuing) => {
    const issued = issuing.events.find(({ type }) => type === "code.issued");
    if (issued?.type !== "code.issued" || !issuing.response) return [];
    if (issuing.at + history.codeLifetime > history.now) return [];
    if (faultsUntil(issuing, flowOf.get(issuing.id), byId).length > 0) return [];
    const attempts = redeeming.get(issued.authorization) ?? [];
    const isExcused = attempts.some(({ faults, response }) =>
      faults.length > 0 || response?.status === 200
    );
    return isExcused ? [] : [{ issuing, client: issued.client, attempts }];
  });
}

/**
 * Finds refreshes with a scope that the first token response of their flow lacks. It may repeat
 * `offline_access`, which is never granted without a consent page.
 */
function refreshesBeyondScope({ exchanges }: ServerHistory): Evidence[] {
  const related = byAuthorization(exchanges);
  return exchanges.flatMap((refresh) => {
    const asked = refresh.request.form.get("scope")?.split(" ") ?? [];
    if (refresh.request.form.get("grant_type") !== "refresh_token" || asked.length === 0) return [];
    const first = related.get(refresh.concerns.authorization ?? "")
      ?.find((each) => each.id < refresh.id && memberIn(each, "scope"));
    const granted = first && memberIn(first, "scope")?.split(" ");
    const beyond = asked.filter((token) => token !== "offline_access" && !granted?.includes(token));
    if (!first || beyond.length === 0) return [];
    return [
      evidence([refresh, first], `${counted(beyond.length, "scope token")} too many`, "scope"),
    ];
  });
}

/** Groups requests by the authorization that they concern; others are left out. */
function byAuthorization(exchanges: readonly Exchange[]): Map<string, Exchange[]> {
  const groups = groupBy(exchanges, ({ concerns }) => concerns.authorization);
  return new Map(groups.map((group) => [group[0].concerns.authorization ?? "", group]));
}

/** Finds uses of access tokens at the userinfo endpoint, with the responses that have the tokens. */
function usesOfTokens(history: ServerHistory): Array<{
  issuing: Exchange;
  /** The members of the response that has the token. */
  issued: Record<string, unknown>;
  use: Exchange;
}> {
  const uses = exchangesAt(history, "userinfo");
  // To read every token response takes longer than all other rules.
  if (uses.length === 0) return [];
  const responses = responsesByToken(history);
  return uses.flatMap((use) => {
    // A request without a token does not use the one that a failed request did not get.
    const token = tokenOf(use.request);
    const issuing = token === undefined ? undefined : responses.get(token);
    if (!issuing || use.request.headers.authorization === undefined) return [];
    return [{ issuing, issued: membersOf(issuing), use }];
  });
}

/** The first use may be how a client learns that its token has expired. */
function lateUses(history: ServerHistory): Evidence[] {
  const late = usesOfTokens(history).filter(({ issuing, issued: { expires_in }, use }) =>
    typeof expires_in === "number" && use.at >= issuing.at + expires_in * 1000
  );
  return repeated(late, ({ issuing }) => String(issuing.id)).map(([first, ...later]) =>
    evidence(
      [first.use, ...later.map(({ use }) => use)],
      `used ${later.length + 1} times after it expired`,
      "Authorization",
    )
  );
}

/** Returns how a request sends its token, in lower case: "bearer", "dpop". */
function schemeOf({ request }: Exchange): string | undefined {
  return request.headers.authorization?.split(" ")[0]?.toLowerCase();
}

function tokenTypeOf({ token_type }: Record<string, unknown>): string | undefined {
  return typeof token_type === "string" ? token_type.toLowerCase() : undefined;
}

function memberIn(exchange: Exchange, name: string): string | undefined {
  const member = membersOf(exchange)[name];
  return typeof member === "string" ? member : undefined;
}
