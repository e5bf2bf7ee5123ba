import { SignJWT } from "jose";
import { randomId } from "../../../../server/issuer/random.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { signingKeyOf, signJwt } from "../../../tokens/signed_tokens.ts";
import { certify } from "../../faults/header_key_faults.ts";
import { commonForgeries, forgeJwt, makeAttackerKey } from "../../faults/jwt_forgery.ts";
import {
  type ApiCheck,
  type Deviation,
  deviationIn,
  isAccepted,
  presentAll,
  refusing,
  unlessOpaque,
} from "../api_check.ts";
import { encodePart, signWithText, toPem } from "../attacker.ts";
import { type DrilledApi, freshJwt } from "../drilled_api.ts";
import { openKeyTrap } from "../sockets.ts";
import { must } from "./sentences.ts";

const forged = { takes: "nothing", gain: "Anyone signs tokens for any user." } as const;

/** An API that only fetches what a token names accepts nothing, and still sends the request. */
const fetched = {
  takes: "nothing",
  size: "small",
  gain: "Anyone makes the API send requests into its own network (SSRF).",
} as const;
const unknownKid = "hallpass-drill-unknown-key";

const ownKeysAlone =
  "Use the keys at the 'jwks_uri' of your issuer alone; ignore 'jwk', 'jku', 'x5u' and 'x5c'.";

const knownKidsAlone =
  "Compare the kid as a text with those of the keys at the 'jwks_uri' of your issuer.";

/** More than a column or a file name has. */
const longKid = "k".repeat(10_000);

/** HMAC fills a short key with zeros: this one signs as an empty file does. */
const emptyKey = "\0";

/** What an API must refuse because the server has not signed it. */
export const signatureChecks: CheckTable<ApiCheck> = {
  alg_none: must("apiNone", {
    title: "A token without a signature must be refused",
    ...forged,
    fix: "List the algorithms that your issuer signs with; never take the 'alg' of the token.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const unsigned = (alg: string) => `${encodePart({ ...header, alg })}.${encodePart(claims)}.`;
      const algs = ["none", "None", "NONE"];
      return await presentAll(
        api,
        algs.map((alg) => [`a token with the alg '${alg}'`, unsigned(alg)]),
      );
    }),
  }),
  hs256_public_key: must("apiOneAlgorithm", {
    title: "A token that is signed with the public key as a secret must be refused",
    ...forged,
    fix: "List asymmetric algorithms only, such as RS256 and ES256.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const jwt = freshJwt(api);
      const key = await api.lab.context.keys.find(String(jwt.header.kid));
      if (!key) return [];
      const pem = await toPem(await key.publicKey());
      const what = "an HS256 token with the public key in";
      return await presentAll(api, [
        [`${what} PEM`, await signWithText(jwt, pem)],
        [`${what} PEM`, await signWithText(jwt, `${pem}\n`)],
        [`${what} a JWK`, await signWithText(jwt, JSON.stringify(key.publicJwk))],
      ]);
    }),
  }),
  foreign_key: must("apiSignature", {
    title: "A token that another key has signed must be refused",
    ...forged,
    fix:
      "Verify the signature with the keys at the 'jwks_uri' of your issuer; decoding is not enough.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const token = await forgeJwt(api.lab, freshJwt(api), commonForgeries.foreign_signature);
      return [await api.present(token, "a token of another key under the kid of the server")];
    }),
  }),
  unknown_kid: must("apiSignature", {
    title: "A token of a key that the server does not have must be refused",
    ...forged,
    fix: "If no key at the 'jwks_uri' of your issuer has the kid, refuse the token.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const { kid: _, ...bare } = header;
      const { privateKey: key } = await makeAttackerKey(String(header.alg));
      const unknown = { header: { ...header, kid: unknownKid }, claims };
      return await presentAll(api, [
        ["a token of an unknown key", await signJwt({ ...unknown, key })],
        ["a token of another key without a kid", await signJwt({ header: bare, claims, key })],
        ["an HS256 token with an empty key", await signWithText(unknown, emptyKey)],
      ]);
    }),
  }),
  header_key: must("apiKeys", {
    title: "The key in the header of a token must not be used",
    mistake: "Uses the key in the header of a token",
    ...forged,
    fix: ownKeysAlone,
    leftOut: unlessOpaque,
    run: async (api) => ({ wrong: (await tryHeaderKeys(api)).accepted }),
  }),
  header_key_fetched: must("apiKeys", {
    title: "The key that the header of a token names must not be fetched",
    mistake: "Fetches the key that the header of a token names",
    ...fetched,
    fix: ownKeysAlone,
    leftOut: unlessOpaque,
    run: async (api) => ({ wrong: (await tryHeaderKeys(api)).fetched }),
  }),
  unknown_crit: must("apiCritical", {
    title: "A token with an unknown critical header must be refused",
    gain: "A restriction that the server put into the header is ignored.",
    fix: "Refuse a token with 'crit', unless you know every name in it.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const name = "https://hallpass.example/unknown";
      const token = await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: String(header.alg), crit: [name], [name]: true })
        .sign(await signingKeyOf(api.lab.context, header, claims.aud), { crit: { [name]: true } });
      return [await api.present(token, "a token with an unknown name in 'crit'")];
    }),
  }),
  hostile_kid: must("apiKid", {
    title: "A kid that is a path, a query, a URL or very long must be refused",
    mistake: "Takes a key from where the kid of a token leads: a file, a database or a URL",
    ...forged,
    fix: knownKidsAlone,
    leftOut: unlessOpaque,
    run: async (api) => ({ wrong: (await tryKids(api)).accepted }),
  }),
  hostile_kid_fetched: must("apiKid", {
    title: "A kid that is a URL must not be fetched",
    mistake: "Fetches a kid that is a URL",
    ...fetched,
    fix: knownKidsAlone,
    leftOut: unlessOpaque,
    run: async (api) => ({ wrong: (await tryKids(api)).fetched }),
  }),
};

/** What an API did with tokens that lead to keys of an attacker. */
type LedTo = Record<"accepted" | "fetched", Deviation[]>;

/** Sends tokens that bring or name their own key, and listens where they lead. */
async function tryHeaderKeys(api: DrilledApi): Promise<LedTo> {
  const jwt = freshJwt(api);
  const { publicJwk, privateKey } = await makeAttackerKey(String(jwt.header.alg));
  const jwk = { ...publicJwk, kid: unknownKid };
  const trap = await openKeyTrap(JSON.stringify({ keys: [jwk] }));
  // Where an API in this process gets its fetch from the lab, the lab itself is visited.
  const path = `/drill-keys-${randomId(api.lab.context)}`;
  const visits = () =>
    trap.visits() + api.lab.exchanges().filter(({ request }) => request.path.endsWith(path)).length;
  const places = [trap.url("http"), trap.url("https")];
  if (typeof api.options.request === "function") places.push(issuerUrl(api.lab.issuer, path));
  const x5c = [await certify(jwk)];
  const certified: KeyHeader = ["a token with the certificate of its own key in 'x5c'", { x5c }];
  const led: LedTo = { accepted: [], fetched: [] };
  try {
    for (const [what, header] of [...keyHeaders(jwk, places), certified]) {
      const before = visits();
      const signed = { ...jwt, header: { ...jwt.header, kid: unknownKid, ...header } };
      const request = await api.present(await signJwt({ ...signed, key: privateKey }), what);
      const response = await api.send(request);
      if (isAccepted(response)) led.accepted.push(deviationIn(request, response));
      else if (visits() > before) {
        led.fetched.push({ received: `a request to the URL of ${what}` });
      }
    }
  } finally {
    await trap.close();
  }
  return led;
}

/** What is special about a token, and what its header adds. */
type KeyHeader = [what: string, header: object];

/** Returns the headers of tokens that contain their key, or name a place with it. */
function keyHeaders(jwk: object, places: readonly string[]): KeyHeader[] {
  const headers: KeyHeader[] = [["a token with its own key in 'jwk'", { jwk }]];
  for (const name of ["jku", "x5u"]) {
    const what = `a token that names its key in '${name}'`;
    headers.push(...places.map((place): KeyHeader => [what, { [name]: place }]));
  }
  return headers;
}

async function tryKids(api: DrilledApi): Promise<LedTo> {
  const jwt = freshJwt(api);
  const { publicJwk, privateKey } = await makeAttackerKey(String(jwt.header.alg));
  const trap = await openKeyTrap(JSON.stringify({ keys: [publicJwk] }));
  const withKid = (kid: string) => ({ ...jwt, header: { ...jwt.header, kid } });
  const signed = async (kid: string) => await signJwt({ ...withKid(kid), key: privateKey });
  const tokens: Array<[what: string, token: string]> = [
    ["a path", await signWithText(withKid("../../../../../../../dev/null"), emptyKey)],
    ["a quote", await signed("' OR '1'='1")],
    ["a double quote", await signed('" OR "1"="1')],
    ["a URL", await signed(trap.url("http"))],
    ["of 10,000 characters", await signed(longKid)],
  ];
  const led: LedTo = { accepted: [], fetched: [] };
  try {
    for (const [what, token] of tokens) {
      const before = trap.visits();
      const isLarge = token.length > longKid.length;
      const request = { ...await api.present(token, `a token whose kid is ${what}`), isLarge };
      const response = await api.send(request);
      if (isAccepted(response)) led.accepted.push(deviationIn(request, response));
      else if (trap.visits() > before) {
        led.fetched.push({ received: "a request to the URL that is the kid" });
      }
    }
  } finally {
    await trap.close();
  }
  return led;
}
