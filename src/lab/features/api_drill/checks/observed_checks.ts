import { numericDate } from "../../../../server/issuer/time.ts";
import { hour, minute, second } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { issueWithoutRequest } from "../../../tokens/issue_without_request.ts";
import { requireMintClient } from "../../../tokens/mint_parties.ts";
import { readToken, signingKeyOf, signPayload } from "../../../tokens/signed_tokens.ts";
import {
  type ApiCheck,
  type CheckReading,
  deviationIn,
  isAccepted,
  refusing,
  unlessOpaque,
} from "../api_check.ts";
import { type DrilledApi, freshJwt, scopeClaims } from "../drilled_api.ts";
import { may, must, mustOfJwts, should } from "./sentences.ts";

/** How far clocks may be apart, in seconds. */
const differences = [5, 30, 60, 120, 300, 15 * minute, 30 * minute];

/** More than the few minutes that clocks may be apart. */
const tooFar = 15 * minute;

/** A header of this size is more than most servers take. */
const largeTokenBytes = 64 * 1024;

export const largeToken = "a token of 64 kB";

/** What an API may do in more than one way, and what it must not do in some. */
export const observedChecks: CheckTable<ApiCheck> = {
  clock: should("apiLeeway", {
    title: "How far the clocks of API and server may be apart",
    mistake: "Accepts a token long after it expires, or before it is valid",
    gain: "A leaked token works for that long after it expires.",
    fix: "Allow no more than a few minutes.",
    leftOut: unlessOpaque,
    run: observeClock,
  }),
  duplicate_members: mustOfJwts("apiNames", {
    title: "Of two members with one name, the same one must count in every claim",
    mistake: "Of two members with one name, another one counts in each claim",
    gain: "A check reads one value of a claim, and the code behind it the other.",
    fix: "Parse the claims once, with one parser, and pass on what it returns.",
    run: observeDuplicates,
  }),
  revoked_opaque: must("apiValidation", {
    title: "A revoked opaque token must be refused, and should be even if it was used before",
    mistake: "Accepts a revoked opaque token",
    takes: "a token",
    size: "limit",
    // It may keep what introspection returned for a while (RFC 7662, section 4).
    eased: ["with a token that it has seen"],
    gain: "A user who removes an application's access does not end it.",
    fix: "Introspect opaque tokens at each request, and accept them only with 'active': true. A " +
      "cache must be short, and keep nothing beyond the 'exp' of a token.",
    run: tryRevokedOpaque,
  }),
  revoked_jwt: may("apiRevocation", {
    title: "Whether a JWT works after it was revoked (information only)",
    gain: "A revoked token works until it expires.",
    fix: "Give tokens a short life, or introspect them.",
    leftOut: unlessOpaque,
    async run(api) {
      const response = await api.send(await revoked(api, await api.mint()));
      const ends = isAccepted(response) ? "works until it expires" : "is refused";
      return { note: `A revoked JWT ${ends}.` };
    },
  }),
  large_token: should("apiInvalidToken", {
    title: "A token of 64 kB should cause no server error",
    mistake: "Fails with a server error for a token of 64 kB",
    gain: "One request with such a token makes the API fail.",
    fix: "Refuse it with 400, 401 or 431, before you introspect it.",
    async run(api) {
      const token = "x".repeat(largeTokenBytes);
      const request = { ...await api.present(token, largeToken), isLarge: true };
      const before = api.lab.exchanges().at(-1)?.id ?? 0;
      const response = await api.send(request);
      const { status } = response;
      const isRefused = api.lab.exchanges().some(({ id, request, response }) =>
        id > before && request.endpoint === "introspect" && (response?.status ?? 0) >= 400
      );
      if (status >= 500 && isRefused) {
        return { note: `The server does not introspect it, and the API fails with ${status}.` };
      }
      if (status >= 500) return { wrong: [{ received: `status ${status} for ${request.what}` }] };
      const how = status === 0 ? "by closing the connection" : `with status ${status}`;
      return { note: `The API refused it ${how}, as it should.` };
    },
  }),
  typ_jwt: mustOfJwts("apiType", {
    title: "An API that follows RFC 9068 must refuse a token of the type JWT",
    mistake: "Accepts a token of the type JWT",
    gain: "Another JWT of the server, such as an ID token, may look like an access token.",
    fix: "Require 'at+jwt' or 'application/at+jwt' as the 'typ'.",
    async run(api) {
      const token = await api.mint({ header: { typ: "JWT" } });
      const request = await api.present(token, "a token of the type JWT");
      const response = await api.send(request);
      const isWrong = api.options.rfc9068 === true && isAccepted(response);
      if (isWrong) return { wrong: [deviationIn(request, response)] };
      return {
        note: `A token of the type JWT is ${isAccepted(response) ? "accepted" : "refused"}.`,
      };
    },
  }),
};

async function observeClock(api: DrilledApi): Promise<CheckReading> {
  const furthest = async (claimsAt: (now: number, seconds: number) => Record<string, number>) => {
    let found = 0;
    for (const seconds of differences) {
      const claims = claimsAt(numericDate(api.lab.context), seconds);
      const token = await api.mint({ claims });
      const request = await api.present(token, `a clock ${seconds} seconds off`);
      if (!isAccepted(await api.send(request))) break;
      found = seconds;
    }
    return found;
  };
  const late = await furthest((now, seconds) => ({ exp: now - seconds, iat: now - hour }));
  const early = await furthest((now, seconds) => ({ nbf: now + seconds }));
  const what = (seconds: number) => seconds === 0 ? "no token" : `a token at least ${seconds} s`;
  const note = `The API accepts ${what(late)} after it expires, ` +
    `and ${what(early)} before its 'nbf'.`;
  const isFar = Math.max(late, early) >= tooFar;
  const received = `${tooFar / minute} minutes or more`;
  return { note, wrong: isFar ? [{ received }] : [] };
}

/** Each claim, with a value that an API must refuse. */
function hostileClaims(api: DrilledApi): Array<[name: string, value: unknown]> {
  const scope = Object.entries(scopeClaims(api, "hallpass-drill")).slice(-1);
  return [
    ["exp", numericDate(api.lab.context) - hour],
    ["aud", "https://another-api.example"],
    ["iss", "https://attacker.example"],
    ...api.scope.length > 0 ? scope : [],
  ];
}

async function observeDuplicates(api: DrilledApi): Promise<CheckReading> {
  const { header, claims } = freshJwt(api);
  const key = await signingKeyOf(api.lab.context, header, claims.aud);
  const accepts = async (name: string, values: readonly unknown[]) => {
    const { [name]: _, ...others } = claims;
    const members = values.map((value) => `${JSON.stringify(name)}:${JSON.stringify(value)},`);
    const payload = `{${members.join("")}${JSON.stringify(others).slice(1)}`;
    const token = await signPayload({ header, payload, key });
    return isAccepted(await api.send(await api.present(token, `a token with two '${name}'`)));
  };
  const counting: CountingMembers = { first: [], last: [] };
  for (const [name, value] of hostileClaims(api)) {
    const isFirst = await accepts(name, [claims[name], value]);
    const isLast = await accepts(name, [value, claims[name]]);
    // An API that takes both does not check the claim, as other checks show.
    if (isFirst !== isLast) counting[isFirst ? "first" : "last"].push(name);
  }
  return compareDuplicates(counting);
}

/** The names of claims of which the first member counts, and the last. */
type CountingMembers = Record<"first" | "last", string[]>;

function compareDuplicates({ first, last }: CountingMembers): CheckReading {
  if (first.length > 0 && last.length > 0) {
    const received = `the first ${first.join(", ")}, but the last ${last.join(", ")} counts`;
    return { wrong: [{ received }] };
  }
  const [counts] = [...first.map(() => "first"), ...last.map(() => "last")];
  return {
    note: counts ? `Of two members, the ${counts} counts.` : "The API refuses duplicate members.",
  };
}

/** An API may keep what introspection returned for a while (RFC 7662, section 4). */
async function tryRevokedOpaque(api: DrilledApi): Promise<CheckReading> {
  const token = await opaqueToken(api);
  const valid = await api.present(token, "a valid opaque token");
  if (!isAccepted(await api.send(valid))) return { skipped: "The API takes no opaque tokens." };
  const { wrong = [] } = await refusing(async () => [
    await revoked(api, await opaqueToken(api)),
  ])(api);
  const isKept = isAccepted(await api.send(await revoked(api, token))) && wrong.length === 0;
  const others = { note: api.jwt && otherTokens(api) };
  const facts = ["with a token that it has seen"] as const;
  if (!isKept) return { wrong, ...others };
  if (await outlivesToken(api)) {
    const received = "it accepts an expired token that it has seen before";
    const mistake = "Accepts an expired token that it has seen before";
    return { wrong: [{ facts, received, mistake }], ...others };
  }
  const received = "it accepts a revoked token that it has seen before";
  return { wrong: [{ facts, received }], ...others };
}

/** Whether an API keeps what introspection returned for longer than the token lasts. */
async function outlivesToken(api: DrilledApi): Promise<boolean> {
  const { jwt, lab: { context } } = api;
  if (jwt) return false;
  const end = context.now() + 2 * second * 1000;
  const token = await api.mint({ expiresIn: "2s" });
  const request = await api.present(token, "a token for two seconds");
  if (!isAccepted(await api.send(request))) return false;
  await api.waits.wait(3 * second * 1000);
  // A lab whose clock stands still calls the token active for good.
  return context.now() > end && isAccepted(await api.send(request));
}

/** An API that verifies JWTs well may still look at too little of what introspection returns. */
function otherTokens({ lab }: DrilledApi): string {
  const opaque = lab.clients.list().find(({ accessTokenFormat }) => accessTokenFormat === "opaque");
  const example = opaque ? `, such as '${opaque.id}'` : ' (its "accessTokenFormat" is "opaque")';
  return `The API takes opaque tokens, too. Drill it again with a client that gets them${example}.`;
}

export async function opaqueToken(api: DrilledApi): Promise<string> {
  if (!api.jwt) return await api.mint();
  const { lab: { context }, user, audience, options } = api;
  const client = await requireMintClient(context, options.client, user);
  const { response } = await issueWithoutRequest(context, {
    ...client,
    accessTokenFormat: "opaque",
  }, {
    subject: user,
    scope: api.scope.length > 0 ? [...api.scope] : client.defaultScope,
    resources: audience === undefined ? [] : [audience],
    hasRefresh: false,
    // An API that takes no token without DPoP takes no opaque one without it.
    jkt: api.usual === "DPoP" ? api.keys.jkt : undefined,
  });
  return response.access_token;
}

/** Revokes a token as its client does, and returns a request with it. */
async function revoked(api: DrilledApi, token: string) {
  const { context } = api.lab;
  const { jti, exp } = (await readToken(context, token))?.claims ?? {};
  await context.records.revokedTokens.put(String(jti), null, Number(exp) * 1000);
  return await api.present(token, "a revoked token");
}
