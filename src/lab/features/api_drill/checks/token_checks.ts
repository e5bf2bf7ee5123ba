import { randomId } from "../../../../server/issuer/random.ts";
import { numericDate } from "../../../../server/issuer/time.ts";
import { hour } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { requireMintClient } from "../../../tokens/mint_parties.ts";
import { nearMisses, nearTexts } from "../../faults/near_misses.ts";
import {
  type ApiCheck,
  type CheckReading,
  deviationIn,
  isAccepted,
  minted,
  refusing,
  refusingFirst,
  untestedReason,
} from "../api_check.ts";
import {
  type ApiRequest,
  audiencesOf,
  type DrilledApi,
  hasAccessTokenType,
} from "../drilled_api.ts";
import { must, mustOfJwts } from "./sentences.ts";

/** What every API must refuse: tokens that are not meant for it, or not any more. */
export const tokenChecks: CheckTable<ApiCheck> = {
  no_token: must("apiValidation", {
    title: "A request without a token must be refused",
    takes: "nothing",
    gain: "Its URL is all that a caller of the API needs.",
    fix: "Require a token on this route; many frameworks protect only the routes that are listed.",
    run: refusing(async () => [{ what: "a request without a token" }]),
  }),
  unknown_token: must("apiValidation", {
    title: "A token that no server issued must be refused",
    takes: "nothing",
    gain: "Any text opens the API.",
    fix: "Verify the signature of a JWT, and introspect every other token (RFC 7662).",
    run: refusing(async (api) => [
      await api.present(`unknown-${randomId(api.lab.context)}`, "an unknown opaque token"),
    ]),
  }),
  expired: must("apiValidation", {
    title: "An expired token must be refused",
    takes: "a token",
    size: "limit",
    gain: "A token that leaked once opens the API for good.",
    fix: "Compare 'exp' with the time, and allow a few minutes at most.",
    run: refusing(minted("a token that expired an hour ago", () => ({ expiresIn: "-1h" }))),
  }),
  without_exp: mustOfJwts("apiValidation", {
    title: "A token without an exp must be refused by an API that follows RFC 9068",
    mistake: "Accepts a token without an exp",
    gain: "A token that has no end opens the API for good.",
    fix: "Require 'exp', and compare it with the time.",
    run: tryEndless,
  }),
  not_yet_valid: mustOfJwts("apiNotBefore", {
    title: "A token that is not valid yet must be refused",
    gain: "A token for later, such as a booked access, works now.",
    fix: "Compare 'nbf' with the time, if the token has it.",
    run: refusing(minted("a token that becomes valid in an hour", (api) => {
      const now = numericDate(api.lab.context);
      return { claims: { nbf: now + hour, exp: now + 2 * hour } };
    })),
  }),
  wrong_issuer: mustOfJwts("apiIssuer", {
    title: "A token of another issuer must be refused",
    takes: "a tenant",
    gain: "A user of another tenant of the provider, which has the same keys, enters.",
    fix: "Compare 'iss' with your issuer, character by character.",
    run: tryIssuers,
  }),
  wrong_audience: must("apiAudience", {
    title: "A token for another API must be refused",
    takes: "an API",
    gain: "Any other API that the user's token is sent to can act here as the user.",
    fix: "Require that 'aud' is, or contains, the identifier of this API.",
    run: tryAudiences,
  }),
  without_audience: mustOfJwts("apiAudience", {
    title: "A token without an audience must be refused",
    gain: "A token that is for no API in particular works here.",
    fix: "Require 'aud', with the identifier of this API.",
    run: refusing(
      minted("a token without an audience", () => ({ omit: ["aud"] })),
      minted("a token with an empty list of audiences", () => ({ claims: { aud: [] } })),
    ),
  }),
  id_token: must("apiKindOfJwt", {
    title: "An ID token must be refused",
    takes: "a client",
    gain: "Every application that the user signs in to holds a token for this API.",
    fix: "Require your own identifier as 'aud': that of an ID token is its client.",
    leftOut: (api) => isClient(api) ? "A client has no ID token." : undefined,
    run: refusing(async (api) => {
      const { client } = api.options;
      const { token } = await api.lab.mint({ sub: api.user, client, kind: "id" });
      return [await api.present(token, "an ID token")];
    }),
  }),
  logout_token: mustOfJwts("apiKindOfJwt", {
    title: "A logout token must be refused",
    takes: "a client",
    gain: "Every application that the user signs in to gets a token for this API.",
    fix: "Require your own identifier as 'aud': that of a logout token is its client.",
    run: refusing(async (api) => {
      const { lab, user, options: { client } } = api;
      const { token } = await lab.mint({ sub: user, client, kind: "logout" });
      return [await api.present(token, "a logout token")];
    }),
  }),
  refresh_token_as_access: must("apiRefreshToken", {
    title: "A refresh token must be refused",
    takes: "a token",
    gain: "A refresh token, which lasts longer than an access token, opens the API.",
    fix: "Require the 'aud' and the scope of this API, also in what introspection returns.",
    leftOut: (api) => isClient(api) ? "A client has no refresh token." : undefined,
    run: refusing(async (api) => {
      const { lab, user, scope, options: { client } } = api;
      const asked = scope.length > 0 && { scope: scope.join(" ") };
      const { token } = await lab.mint({ sub: user, client, kind: "refresh", ...asked });
      return [await api.present(token, "a refresh token")];
    }),
  }),
  wrong_type: mustOfJwts("apiKindOfJwt", {
    title: "An access token of the type logout+jwt must be refused by an API of RFC 9068",
    mistake: "Accepts an access token of the type logout+jwt",
    gain: "A JWT that was signed for another purpose may work as an access token.",
    fix: "Require 'at+jwt' or 'application/at+jwt' as the 'typ'.",
    run: tryWrongType,
  }),
  other_user: must("apiObject", {
    title: "A token of another user must be refused",
    takes: "nothing",
    // The server chooses the id of a user.
    unless: ["with an id that is only alike"],
    eased: ["with an id in another case"],
    gain: "Any user reads what belongs to others, by their ids.",
    fix: "Look up the resource by its id and by the 'sub' of the token.",
    leftOut: unlessOwned,
    run: tryOtherUsers,
  }),
  client_token: must("apiObject", {
    title: "A client's own token must be refused where a resource is a user's",
    takes: "a client",
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
  return otherUser === undefined ? untestedReason("another-user") : undefined;
}

/** JWTs may have no end, but for those of RFC 9068. */
async function tryEndless(api: DrilledApi): Promise<CheckReading> {
  const endless = await api.present(await api.mint({ omit: ["exp"] }), "a token without an exp");
  const response = await api.send(endless);
  if (!isAccepted(response)) return {};
  if (api.options.rfc9068) return { wrong: [deviationIn(endless, response)] };
  return { unjudged: `If your issuer signs tokens without an end: it accepts ${endless.what}.` };
}

/** Another user may have an id that is much like that of the user who may. */
async function tryOtherUsers(api: DrilledApi): Promise<CheckReading> {
  const { user, options: { otherUser = user } } = api;
  const present = async (sub: string, what: string) =>
    await api.present(await api.mint({ sub }), what);
  const other = await present(otherUser, "a token of another user");
  const verdict = await refusing(async () => [other, ...namingUser(user, other)])(api);
  if (verdict.wrong?.length) return verdict;
  const alike = await refusingFirst(() =>
    Promise.all(
      nearTexts(user).map(({ what, value }) =>
        present(value, `a token of a user whose id ${what}`)
      ),
    )
  )(api);
  const isAlike = "with an id that is only alike";
  if (alike.wrong) return { wrong: alike.wrong.map((each) => ({ ...each, facts: [isAlike] })) };
  const upper = await present(user.toUpperCase(), "a token of a user whose id differs in case");
  // The ids of most servers cannot differ so.
  if (user === user.toUpperCase()) return verdict;
  const response = await api.send(upper);
  if (!isAccepted(response)) return verdict;
  const facts = [isAlike, "with an id in another case"] as const;
  return { wrong: [{ ...deviationIn(upper, response), facts }] };
}

/** Returns requests of a user that name another one in the usual places. */
function namingUser(user: string, request: ApiRequest): ApiRequest[] {
  const named = ["user", "user_id", "userId", "username", "sub", "owner", "account", "uid"];
  const query = Object.fromEntries(named.map((name) => [name, user]));
  const headers = { ...request.headers, "X-User": user, "X-User-Id": user };
  return [
    { ...request, what: "a token of another user, with the right one in the query", query },
    { ...request, what: "a token of another user, with the right one in a header", headers },
  ];
}

/** A token of RFC 9068 has an issuer. */
async function tryIssuers(api: DrilledApi): Promise<CheckReading> {
  const other = { what: "is another one", value: "https://attacker.example" };
  const values = [other, ...nearMisses(api.lab.issuer)];
  const reading = await refuseValues(api, ["iss", "issuer"], values);
  if (reading.wrong || !api.options.rfc9068) return reading;
  return await refusing(minted("a token without an issuer", () => ({ omit: ["iss"] })))(api);
}

async function tryAudiences(api: DrilledApi): Promise<CheckReading> {
  const [own = ""] = audiencesOf(api).map(String);
  const others = ["https://another-api.example", "https://third.example"];
  return await refuseValues(api, ["aud", "audience"], [
    { what: "is that of another API", value: others[0] },
    ...nearTexts(own),
    { what: "is a list of two other APIs", value: others },
  ]);
}

/** Tries values of a claim, until an API accepts one. The first that it accepts names the mistake. */
async function refuseValues(
  api: DrilledApi,
  [claim, name]: readonly [claim: string, name: string],
  values: ReadonlyArray<{ what: string; mistake?: string; value: unknown }>,
): Promise<CheckReading> {
  for (const { what, mistake, value } of values) {
    const token = await api.mint({ claims: { [claim]: value } });
    const request = await api.present(token, `a token whose ${name} ${what}`);
    const response = await api.send(request);
    if (!isAccepted(response)) continue;
    const named = mistake && { mistake: `${mistake} the ${name}` };
    return { wrong: [{ ...deviationIn(request, response), ...named }] };
  }
  return {};
}

/** To refuse it is what RFC 9068 demands, and RFC 8725 recommends, where access tokens have a type. */
async function tryWrongType(api: DrilledApi): Promise<CheckReading> {
  const what = "an access token of the type logout+jwt";
  const token = await api.mint({ header: { typ: "logout+jwt" } });
  const request = await api.present(token, what);
  const response = await api.send(request);
  const { rfc9068 = false } = api.options;
  if (!rfc9068 && !hasAccessTokenType(api) || !isAccepted(response)) return {};
  if (!rfc9068) return { unjudged: `If it follows RFC 9068: it accepts ${what}.` };
  return { wrong: [deviationIn(request, response)] };
}
