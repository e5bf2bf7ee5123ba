import { randomId } from "../../../../server/issuer/random.ts";
import { numericDate } from "../../../../server/issuer/time.ts";
import { hour } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { requireMintClient } from "../../../tokens/mint_parties.ts";
import {
  type ApiCheck,
  type CheckReading,
  type Deviation,
  isAccepted,
  minted,
  refusing,
  refusingFirst,
  unlessOpaque,
  untested,
} from "../api_check.ts";
import {
  type ApiRequest,
  audiencesOf,
  type DrilledApi,
  hasAccessTokenType,
} from "../drilled_api.ts";
import { attack } from "./sentences.ts";

/** What every API must refuse: tokens that are not meant for it, or not any more. */
export const tokenChecks: CheckTable<ApiCheck> = {
  no_token: attack("apiValidation", {
    title: "A request without a token must be refused",
    gain: "Anyone who knows the URL may call the API.",
    fix: "Require a token on this route; many frameworks protect only the routes that are listed.",
    run: refusing(async () => [{ what: "a request without a token" }]),
  }),
  unknown_token: attack("apiValidation", {
    title: "A token that no server issued must be refused",
    gain: "Any text opens the API.",
    fix: "Verify the signature of a JWT, and introspect every other token (RFC 7662).",
    run: refusing(async (api) => [
      await api.present(`unknown-${randomId(api.lab.context)}`, "an unknown opaque token"),
    ]),
  }),
  expired: attack("apiValidation", {
    title: "An expired token must be refused",
    gain: "A token that leaked once opens the API for good.",
    fix: "Compare 'exp' with the time, and allow a few minutes at most.",
    run: tryExpired,
  }),
  not_yet_valid: attack("apiNotBefore", {
    title: "A token that is not valid yet must be refused",
    gain: "A token for later, such as a booked access, works now.",
    fix: "Compare 'nbf' with the time, if the token has it.",
    leftOut: unlessOpaque,
    run: refusing(minted("a token that becomes valid in an hour", (api) => {
      const now = numericDate(api.lab.context);
      return { claims: { nbf: now + hour, exp: now + 2 * hour } };
    })),
  }),
  wrong_issuer: attack("apiIssuer", {
    title: "A token of another issuer must be refused",
    gain:
      "Where servers share keys, as tenants of one provider do, a user of one enters the other.",
    fix: "Compare 'iss' with your issuer, character by character.",
    leftOut: unlessOpaque,
    run: refusingFirst((api) =>
      presentEach(api, "iss", [
        ["a token of another issuer", "https://attacker.example"],
        ...lookalikesOf(api.lab.issuer, "issuer"),
      ])
    ),
  }),
  wrong_audience: attack("apiAudience", {
    title: "A token for another API must be refused",
    gain: "Any other API that the user's token is sent to can act here as the user.",
    fix: "Require that 'aud' is, or contains, the identifier of this API.",
    run: tryAudiences,
  }),
  id_token: attack("apiKindOfJwt", {
    title: "An ID token must be refused",
    gain: "Every application that the user signs in to holds a token for this API.",
    fix: "Require your own identifier as 'aud': that of an ID token is its client.",
    leftOut: (api) => isClient(api) ? "A client has no ID token." : undefined,
    run: refusing(async (api) => {
      const { client } = api.options;
      const { token } = await api.lab.mint({ sub: api.user, client, kind: "id" });
      return [await api.present(token, "an ID token")];
    }),
  }),
  wrong_type: attack("apiKindOfJwt", {
    title: "A logout token must be refused, and any token of its type should be",
    mistake: "Accepts a logout token, or any token of its type",
    gain: "A JWT that was signed for another purpose works as an access token.",
    fix: "Require your own 'aud', and 'at+jwt' or 'application/at+jwt' as the 'typ' where your " +
      "issuer sets it.",
    leftOut: unlessOpaque,
    run: tryLogoutTokens,
  }),
  other_user: attack("apiObject", {
    title: "A token of another user must be refused",
    gain: "Any user reads what belongs to others, by their ids.",
    fix: "Look up the resource by its id and by the 'sub' of the token.",
    leftOut: unlessOwned,
    run: tryOtherUsers,
  }),
  client_token: attack("apiObject", {
    title: "A client's own token must be refused where a resource is a user's",
    mistake: "Accepts a client's own token where a resource is a user's",
    gain: "Each client with a secret reads what belongs to any user, without asking them.",
    fix: "Look up the resource by its id and by the 'sub' of the token, also for a client.",
    leftOut: (api) => isClient(api) ? "The user of the drill is a client." : unlessOwned(api),
    run: refusing(async (api) => {
      const { lab: { context }, user, options: { client } } = api;
      const { id } = await requireMintClient(context, client, user);
      return [await api.present(await api.mint({ sub: id }), "a client's own token")];
    }),
  }),
};

function isClient({ lab, user }: DrilledApi): boolean {
  return lab.clients.list().some(({ id }) => id === user);
}

/** Leaves a check out for an API whose resource is no user's, as far as the drill knows. */
function unlessOwned({ options: { otherUser } }: DrilledApi): string | undefined {
  return otherUser === undefined ? untested.otherUser.why : undefined;
}

/** JWTs may have no end, but for those of RFC 9068. */
async function tryExpired(api: DrilledApi): Promise<CheckReading> {
  const verdict = await refusing(
    minted("a token that expired an hour ago", () => ({ expiresIn: "-1h" })),
  )(api);
  const endless = await api.present(await api.mint({ omit: ["exp"] }), "a token without an exp");
  const isEndless = api.jwt && isAccepted(await api.send(endless));
  if (verdict.wrong?.length || !isEndless) return verdict;
  if (api.options.rfc9068) return { wrong: [acceptance(endless)] };
  return { unjudged: `If your issuer signs tokens without an end: it accepts ${endless.what}.` };
}

/** Another user may have an id that is much like that of the user who may. */
async function tryOtherUsers(api: DrilledApi): Promise<CheckReading> {
  const { user, options: { otherUser = user } } = api;
  const present = async (sub: string, what: string) =>
    await api.present(await api.mint({ sub }), what);
  const part = user.slice(0, -1);
  const verdict = await refusingFirst(async () => [
    await present(otherUser, "a token of another user"),
    await present(`${user}-drill`, "a token of a user whose id begins with the right one"),
    ...part ? [await present(part, "a token of a user whose id is a part of the right one")] : [],
  ])(api);
  const upper = await present(user.toUpperCase(), "a token of a user whose id differs in case");
  // The ids of most servers cannot differ so.
  const ignoresCase = !verdict.wrong && user !== user.toUpperCase() &&
    isAccepted(await api.send(upper));
  return ignoresCase ? { wrong: [{ ...acceptance(upper), class: "advice" }] } : verdict;
}

/** Who has no token for another API can have none without any: only the server leaves it out. */
async function tryAudiences(api: DrilledApi): Promise<CheckReading> {
  const [own] = audiencesOf(api).map(String);
  const verdict = await refusingFirst(() =>
    presentEach(api, "aud", [
      ["a token for another API", "https://another-api.example"],
      ...lookalikesOf(own ?? "", "audience"),
      ["a token whose audience is a part of the right one", own?.slice(0, -1) ?? ""],
    ])
  )(api);
  const bare = await api.mint({ omit: ["aud"] });
  const without = await api.present(bare, "a token without an audience");
  if (verdict.wrong || !api.jwt || !isAccepted(await api.send(without))) return verdict;
  return { wrong: [acceptance(without)] };
}

function acceptance({ what }: ApiRequest): Deviation {
  return { class: "rule", received: `it accepts ${what}`, mistake: `Accepts ${what}` };
}

/** Returns values that begin or end with the right one: a search for a part of it takes both. */
function lookalikesOf(value: string, name: string): Array<[what: string, value: string]> {
  return [
    [`a token whose ${name} begins with the right one`, `${value}-attacker.example`],
    [`a token whose ${name} ends with the right one`, `https://attacker.example/?${value}`],
  ];
}

async function presentEach(
  api: DrilledApi,
  claim: "iss" | "aud",
  values: ReadonlyArray<readonly [what: string, value: string]>,
): Promise<ApiRequest[]> {
  return await Promise.all(
    values.map(async ([what, value]) =>
      await api.present(await api.mint({ claims: { [claim]: value } }), what)
    ),
  );
}

/**
 * Sends a logout token, and an access token that only has its type. A check of the audience refuses
 * the first; to refuse the second is what RFC 9068 demands, and RFC 8725 recommends, of an API
 * whose issuer has a type for access tokens.
 */
async function tryLogoutTokens(api: DrilledApi): Promise<CheckReading> {
  const { lab, user, options: { client, rfc9068 = false } } = api;
  const { token } = await lab.mint({ sub: user, client, kind: "logout" });
  const typed = await api.mint({ header: { typ: "logout+jwt" } });
  const what = "an access token of the type logout+jwt";
  const [one, other] = [await api.present(token, "a logout token"), await api.present(typed, what)];
  const verdict = await refusing(async () => [one])(api);
  if (!rfc9068 && !hasAccessTokenType(api) || !isAccepted(await api.send(other))) return verdict;
  if (!rfc9068) return { ...verdict, unjudged: `If it follows RFC 9068: it accepts ${what}.` };
  return { wrong: [...verdict.wrong ?? [], { class: "rule", received: `it accepts ${what}` }] };
}
