import { forever } from "../../../../server/issuer/records/table.ts";
import type { SigningAlgorithm } from "../../../../server/model/signing.ts";
import { second } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { readJwt } from "../../../recording/credentials.ts";
import { signJwt } from "../../../tokens/signed_tokens.ts";
import { readSpan } from "../../../util/clock.ts";
import {
  accepting,
  type ApiCheck,
  type CheckReading,
  deviationIn,
  isAccepted,
  minted,
  unlessOpaque,
  unlessScoped,
  untestedReason,
} from "../api_check.ts";
import {
  type ApiRequest,
  audiencesOf,
  type DrilledApi,
  freshJwt,
  hasAccessTokenType,
  scopeClaims,
} from "../drilled_api.ts";
import { may, must, mustOfJwts } from "./sentences.ts";

/** In milliseconds. */
const betweenAttempts = 5 * second * 1000;

/** What every API must accept, though it is unusual. */
export const validChecks: CheckTable<ApiCheck> = {
  // A server that issues one token for each API sends none.
  audience_list: may("apiAudiences", {
    title: "A token for several APIs must be accepted",
    gain: "Users lose access when a client asks for a second API.",
    fix: "Accept an 'aud' that is a list with the identifier of this API.",
    run: accepting(minted("a token for two APIs", (api) => ({
      claims: { aud: ["https://another-api.example", ...audiencesOf(api)] },
    }))),
  }),
  typ: must("apiMediaType", {
    kind: "interoperability",
    title: "The type of an access token must be accepted with and without application/",
    mistake: "Refuses the type of an access token with or without application/",
    gain: "Users lose access when the server writes the type in its other form.",
    fix: "Accept 'at+jwt' and 'application/at+jwt' as the 'typ'.",
    leftOut: (api) =>
      unlessOpaque(api) ??
        (hasAccessTokenType(api)
          ? undefined
          : "The tokens of the lab do not have the type at+jwt."),
    run: accepting(async (api) => [
      ...await minted("a token of the type at+jwt", () => ({ header: { typ: "at+jwt" } }))(api),
      ...await minted("a token of the type application/at+jwt", () => ({
        header: { typ: "application/at+jwt" },
      }))(api),
    ]),
  }),
  scope_order: must("apiOrder", {
    kind: "interoperability",
    title: "A token with more scopes, in another order, must be accepted",
    mistake: "Refuses a token with more scopes, in another order",
    gain: "Users lose access when a client asks for more than this API needs.",
    fix: "Look for each required scope in the list; the order means nothing.",
    leftOut: unlessScoped,
    run: accepting(minted("a token with more scopes", (api) => ({
      claims: scopeClaims(api, ["hallpass-drill", ...api.scope.toReversed(), "openid"].join(" ")),
    }))),
  }),
  scheme_case: must("apiSchemeCase", {
    kind: "interoperability",
    title: "The scheme must be accepted in lower case",
    mistake: "Refuses the scheme in lower case",
    gain: "Clients that write 'bearer' cannot use the API.",
    fix: "Compare the scheme without regard to case.",
    run: accepting(async (api) => {
      const request = await api.present(await api.mint(), "the scheme in lower case");
      const { Authorization = "" } = request.headers ?? {};
      const value = Authorization.replace(/^\w+/, (scheme) => scheme.toLowerCase());
      return [{ ...request, headers: { Authorization: value } }];
    }),
  }),
};

/** Runs before the checks that name unknown keys: libraries limit how often they fetch. */
export const newKeyCheck: Omit<ApiCheck, "id"> = mustOfJwts("apiRotation", {
  kind: "interoperability",
  title: "A token that a new key has signed must be accepted",
  gain: "Users lose access whenever the server rotates its keys.",
  fix: "Fetch the key set again for an unknown 'kid', at most every 30 seconds.",
  run: tryNewKey,
});

/** Publishes a key that signs these tokens alone, and removes it at the end. */
async function tryNewKey(api: DrilledApi): Promise<CheckReading> {
  const { keys } = api.lab.context;
  const { header } = freshJwt(api);
  const stored = await keys.extend(header.alg as SigningAlgorithm, () => forever);
  const key = stored && await keys.find(stored.kid);
  if (!stored || !key) return { skipped: "The configuration of the lab has the keys." };
  const makeRequest = async () => {
    // An API that introspects it needs a token that the server has issued.
    const { claims = {} } = readJwt(await api.mint()) ?? {};
    const signed = { header: { ...header, kid: key.kid }, claims };
    const token = await signJwt({ ...signed, key: await key.privateKey() });
    return await api.present(token, "a token of a new key");
  };
  try {
    return await sendUntilAccepted(api, makeRequest);
  } finally {
    await keys.drop(stored);
  }
}

/** Sends requests for as long as the test allows. */
async function sendUntilAccepted(
  api: DrilledApi,
  makeRequest: () => Promise<ApiRequest>,
): Promise<CheckReading> {
  const { keyWait } = api.options;
  const end = api.waits.now() + readSpan(keyWait ?? 0);
  while (true) {
    const request = await makeRequest();
    const response = await api.send(request);
    if (isAccepted(response)) return {};
    const left = end - api.waits.now();
    if (left > 0) await api.waits.wait(Math.min(left, betweenAttempts));
    else if (keyWait === undefined) return { skipped: untestedReason("new-key") };
    else return { wrong: [deviationIn(request, response)] };
  }
}
