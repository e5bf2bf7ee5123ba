import { randomId } from "../../../../server/issuer/random.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import type { DecodedJwt } from "../../../recording/credentials.ts";
import { signJwt } from "../../../tokens/signed_tokens.ts";
import { certify } from "../../faults/header_key_faults.ts";
import { makeAttackerKey } from "../../faults/jwt_forgery.ts";
import { type ApiCheck, type CheckReading, deviationIn, isAccepted } from "../api_check.ts";
import { signWithText } from "../attacker.ts";
import { type DrilledApi, freshJwt, type LedTo } from "../drilled_api.ts";
import { openTrap } from "../sockets.ts";
import { mustOfJwts } from "./sentences.ts";
import { emptyKey, forged, unknownKid } from "./signature_checks.ts";

/** An API that only fetches what a token names accepts nothing, and still sends the request. */
const fetched = {
  takes: "nothing",
  size: "small",
  gain: "An attacker makes the API send requests into its own network (SSRF).",
} as const;

const ownKeysAlone =
  "Use the keys at the 'jwks_uri' of your issuer alone; ignore 'jwk', 'jku', 'x5u' and 'x5c'.";

const knownKidsAlone =
  "Compare the kid as a text with those of the keys at the 'jwks_uri' of your issuer.";

const knownIssuersAlone =
  "Compare 'iss' with your issuer before you look for its keys, character by character.";

/** More than a column or a file name has. */
const longKid = "k".repeat(10_000);

/** What an API must not follow: where the text of a token leads to keys of an attacker. */
export const ledChecks: CheckTable<ApiCheck> = {
  foreign_issuer: mustOfJwts("apiKeys", {
    title: "The keys of an issuer that only the token names must not be used",
    mistake: "Uses the keys of the issuer that a token names",
    ...forged,
    fix: knownIssuersAlone,
    run: (api) => ledTo("accepted", api, tryIssuers),
  }),
  foreign_issuer_fetched: mustOfJwts("apiKeys", {
    title: "An issuer that only the token names must not be fetched",
    mistake: "Fetches the issuer that a token names",
    ...fetched,
    fix: knownIssuersAlone,
    run: (api) => ledTo("fetched", api, tryIssuers),
  }),
  header_key: mustOfJwts("apiKeys", {
    title: "The key in the header of a token must not be used",
    mistake: "Uses the key in the header of a token",
    ...forged,
    fix: ownKeysAlone,
    run: (api) => ledTo("accepted", api, tryHeaderKeys),
  }),
  header_key_fetched: mustOfJwts("apiKeys", {
    title: "The key that the header of a token names must not be fetched",
    mistake: "Fetches the key that the header of a token names",
    ...fetched,
    fix: ownKeysAlone,
    run: (api) => ledTo("fetched", api, tryHeaderKeys),
  }),
  hostile_kid: mustOfJwts("apiKid", {
    title: "A kid that is a path, a query, a URL or very long must be refused",
    mistake: "Takes a key from where the kid of a token leads: a file, a database or a URL",
    ...forged,
    fix: knownKidsAlone,
    run: (api) => ledTo("accepted", api, tryKids),
  }),
  hostile_kid_fetched: mustOfJwts("apiKid", {
    title: "A kid that is a URL must not be fetched",
    mistake: "Fetches a kid that is a URL",
    ...fetched,
    fix: knownKidsAlone,
    run: (api) => ledTo("fetched", api, tryKids),
  }),
};

/** A token that leads somewhere. */
interface LeadingToken {
  /** What it is, after "status 200 for". */
  what: string;
  token: string;
  isLarge?: boolean;
}

/** Where the tokens of an attacker lead, and the public key that is there. */
interface Lure {
  jwt: DecodedJwt;
  jwk: object;
  /** URLs of the attacker. */
  places: readonly string[];
  /** Signs a JWT with the key of the attacker, with changes. */
  sign(changes: { header?: object; claims?: object }): Promise<string>;
}

/**
 * Returns what tokens did that lead somewhere. Two checks in a row look at the same ones; what is
 * tried again sends them again.
 */
async function ledTo(
  what: keyof LedTo,
  api: DrilledApi,
  send: (api: DrilledApi) => Promise<LedTo>,
): Promise<CheckReading> {
  const before = what === "fetched" ? api.ledTo.get(send) : undefined;
  const led = before ?? await send(api);
  if (what === "fetched") api.ledTo.delete(send);
  else api.ledTo.set(send, led);
  return { wrong: led[what] };
}

/** Sends tokens that lead to a key of an attacker, and listens there. */
async function follow(
  api: DrilledApi,
  makeTokens: (lure: Lure) => Promise<LeadingToken[]>,
): Promise<LedTo> {
  const jwt = freshJwt(api);
  const { publicJwk, privateKey } = await makeAttackerKey(String(jwt.header.alg));
  const jwk = { ...publicJwk, kid: unknownKid };
  // The same document is metadata of an issuer, and its keys.
  const trap = await openTrap((issuer) =>
    JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, keys: [jwk] })
  );
  // Where an API in this process gets its fetch from the lab, the lab itself is visited.
  const path = `/drill-keys-${randomId(api.lab.context)}`;
  const visits = () =>
    trap.visits() + api.lab.exchanges().filter(({ request }) => request.path.includes(path)).length;
  const places = [trap.url("http"), trap.url("https")];
  if (typeof api.options.request === "function") places.push(issuerUrl(api.lab.issuer, path));
  const led: LedTo = { accepted: [], fetched: [] };
  const sign: Lure["sign"] = async ({ header, claims }) =>
    await signJwt({
      header: { ...jwt.header, kid: unknownKid, ...header },
      claims: { ...jwt.claims, ...claims },
      key: privateKey,
    });
  try {
    for (
      const { what, token, isLarge = false } of await makeTokens({ jwt, jwk, places, sign })
    ) {
      const before = visits();
      const request = { ...await api.present(token, what), isLarge };
      const response = await api.send(request);
      if (isAccepted(response)) led.accepted.push(deviationIn(request, response));
      else if (visits() > before) led.fetched.push({ received: `a request to the URL in ${what}` });
    }
  } finally {
    await trap.close();
  }
  return led;
}

/** Sends tokens of an issuer whose metadata and keys are an attacker's. */
async function tryIssuers(api: DrilledApi): Promise<LedTo> {
  const { issuer } = api.lab;
  return await follow(api, async ({ places, sign }) => {
    const [place = ""] = places;
    const forms: Array<[what: string, iss: string]> = [
      ...places.map((each): [string, string] => ["a token of an attacker's issuer", each]),
      ["a token of an attacker's issuer, with the right one in its path", `${place}/${issuer}`],
      ["a token of an attacker's issuer, with the right one in its query", `${place}?${issuer}`],
      [
        "a token of an attacker's issuer that begins with the right one",
        place.replace(/^https?:\/\//, `${issuer}@`),
      ],
    ];
    return await Promise.all(
      forms.map(async ([what, iss]) => ({ what, token: await sign({ claims: { iss } }) })),
    );
  });
}

/** Sends tokens that contain their own key, or name a place with it. */
async function tryHeaderKeys(api: DrilledApi): Promise<LedTo> {
  return await follow(api, async ({ jwk, places, sign }) => {
    const named = ["jku", "x5u"].flatMap((name) =>
      places.map((place) => [`a token that names its key in '${name}'`, { [name]: place }] as const)
    );
    const headers: Array<readonly [what: string, header: object]> = [
      ["a token with its own key in 'jwk'", { jwk }],
      ...named,
      ["a token with the certificate of its own key in 'x5c'", { x5c: [await certify(jwk)] }],
    ];
    return await Promise.all(
      headers.map(async ([what, header]) => ({ what, token: await sign({ header }) })),
    );
  });
}

async function tryKids(api: DrilledApi): Promise<LedTo> {
  return await follow(api, async ({ jwt, places: [place = ""], sign }) => {
    const path = "../../../../../../../dev/null";
    const withPath = { ...jwt, header: { ...jwt.header, kid: path } };
    const kids: Array<[what: string, kid: string]> = [
      ["a quote", "' OR '1'='1"],
      ["a double quote", '" OR "1"="1'],
      ["a URL", place],
      ["of 10,000 characters", longKid],
    ];
    const what = (kid: string) => `a token whose kid is ${kid}`;
    return [
      { what: what("a path"), token: await signWithText(withPath, emptyKey) },
      ...await Promise.all(kids.map(async ([name, kid]) => ({
        what: what(name),
        token: await sign({ header: { kid } }),
        isLarge: kid === longKid,
      }))),
    ];
  });
}
