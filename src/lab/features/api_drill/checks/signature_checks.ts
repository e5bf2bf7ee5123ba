import { SignJWT } from "jose";
import { numericDate } from "../../../../server/issuer/time.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import { readJwt } from "../../../recording/credentials.ts";
import { signingKeyOf, signJwt } from "../../../tokens/signed_tokens.ts";
import { commonForgeries, forgeJwt, makeAttackerKey } from "../../faults/jwt_forgery.ts";
import {
  type ApiCheck,
  type CheckReading,
  type Deviation,
  deviationIn,
  isAccepted,
  presentAll,
  refusing,
} from "../api_check.ts";
import { encodePart, signWithText, toPem } from "../attacker.ts";
import { type DrilledApi, freshJwt } from "../drilled_api.ts";
import { must, mustOfJwts } from "./sentences.ts";

export const forged = { takes: "nothing", gain: "An attacker signs tokens for any user." } as const;

export const unknownKid = "hallpass-drill-unknown-key";

/** HMAC fills a short key with zeros: this one signs as an empty file does. */
export const emptyKey = "\0";

/** What an API must refuse because the server has not signed it. */
export const signatureChecks: CheckTable<ApiCheck> = {
  alg_none: mustOfJwts("apiNone", {
    title: "A token without a signature must be refused",
    ...forged,
    fix: "List the algorithms that your issuer signs with; never take the 'alg' of the token.",
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const unsigned = (alg: string) => `${encodePart({ ...header, alg })}.${encodePart(claims)}.`;
      const algs = ["none", "None", "NONE", "nOnE"];
      return await presentAll(
        api,
        algs.map((alg) => [`a token with the alg '${alg}'`, unsigned(alg)]),
      );
    }),
  }),
  hs256_public_key: mustOfJwts("apiOneAlgorithm", {
    title: "A token that is signed with the public key as a secret must be refused",
    ...forged,
    fix: "List asymmetric algorithms only, such as RS256 and ES256.",
    run: refusing(async (api) => {
      const jwt = freshJwt(api);
      const key = await api.lab.context.keys.find(String(jwt.header.kid));
      if (!key) return [];
      const [publicKey, jwk] = [await key.publicKey(), key.publicJwk];
      const pem = await toPem(publicKey);
      const der = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
      const what = "token with the public key in";
      return await presentAll(api, [
        [`an HS256 ${what} PEM`, await signWithText(jwt, pem)],
        [`an HS256 ${what} PEM`, await signWithText(jwt, `${pem}\n`)],
        [`an HS512 ${what} PEM`, await signWithText(jwt, pem, "HS512")],
        [`an HS256 ${what} DER`, await signWithText(jwt, der)],
        [`an HS256 ${what} Base64`, await signWithText(jwt, pem.replace(/-----.*-----|\n/g, ""))],
        [`an HS256 ${what} a key set`, await signWithText(jwt, JSON.stringify({ keys: [jwk] }))],
        [`an HS256 ${what} a modulus`, await signWithText(jwt, String(jwk.n ?? jwk.x))],
        [`an HS256 ${what} a JWK`, await signWithText(jwt, JSON.stringify(jwk))],
      ]);
    }),
  }),
  foreign_key: mustOfJwts("apiSignature", {
    title: "A token that another key has signed must be refused",
    ...forged,
    fix:
      "Verify the signature with the keys at the 'jwks_uri' of your issuer; decoding is not enough.",
    run: refusing(async (api) => {
      const jwt = freshJwt(api);
      const exp = numericDate(api.lab.context) - 1;
      // Some libraries report the first of several problems, and the code behind them forgives it.
      const ended = { ...jwt, claims: { ...jwt.claims, exp } };
      const { foreign_signature: foreign } = commonForgeries;
      return await presentAll(api, [
        [
          "a token of another key under the kid of the server",
          await forgeJwt(api.lab, jwt, foreign),
        ],
        ["a token of another key that has just expired", await forgeJwt(api.lab, ended, foreign)],
      ]);
    }),
  }),
  unknown_kid: mustOfJwts("apiSignature", {
    title: "A token of a key that the server does not have must be refused",
    ...forged,
    fix: "If no key at the 'jwks_uri' of your issuer has the kid, refuse the token.",
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
  unknown_crit: mustOfJwts("apiCritical", {
    title: "A token with an unknown critical header must be refused",
    gain: "A restriction that the server put into the header is ignored.",
    fix: "Refuse a token with 'crit', unless you know every name in it.",
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const name = "https://hallpass.example/unknown";
      const token = await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: String(header.alg), crit: [name], [name]: true })
        .sign(await signingKeyOf(api.lab.context, header, claims.aud), { crit: { [name]: true } });
      return [await api.present(token, "a token with an unknown name in 'crit'")];
    }),
  }),
  unknown_alg: mustOfJwts("apiOneAlgorithm", {
    title: "A token with an unknown algorithm must be refused",
    mistake: "Verifies no signature where it does not know the algorithm of a token",
    ...forged,
    fix: "List the algorithms that your issuer signs with, and refuse every other.",
    run: refusing(async (api) => {
      const { header, claims } = freshJwt(api);
      const { alg: _, ...without } = header;
      const forms: Array<[what: string, header: object]> = [
        ["with the alg 'XX256'", { ...header, alg: "XX256" }],
        ["with an empty alg", { ...header, alg: "" }],
        ["without an alg", without],
      ];
      const signed = (head: object) => `${encodePart(head)}.${encodePart(claims)}.${anySignature}`;
      return await presentAll(api, forms.map(([what, head]) => [`a token ${what}`, signed(head)]));
    }),
  }),
  seen_token: must("apiSignature", {
    title: "A token that is much like one that was accepted must be refused",
    mistake: "Takes a token for one that it has accepted before",
    cases: [{
      takes: "nothing",
      when: ["with other claims"],
      gain: "A caller changes the claims of a token of their own, and becomes another user.",
    }],
    takes: "a log",
    size: "limit",
    gain: "A token of which only a part is known opens the API while its user is there.",
    fix: "Keep a result under the whole token, or its SHA-256; never under a part of it, its kid " +
      "or its jti.",
    run: trySeenTokens,
  }),
};

/** As long as one of RS256, and of nothing. */
const anySignature = encodePart("0".repeat(256));

/** An API may know a token again, by all of it. What it refuses unseen is for the other checks. */
async function trySeenTokens(api: DrilledApi): Promise<CheckReading> {
  const token = await api.mint();
  if (!isAccepted(await api.send(await api.present(token, "a token for the first time")))) {
    return { skipped: "The API did not accept the token that others would be like." };
  }
  const jwt = readJwt(token);
  if (!jwt) {
    const alike = token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA");
    return await refusing(async () => [
      await api.present(alike, "a text that begins as a token which it has accepted"),
    ])(api);
  }
  const { foreign_signature: foreign } = commonForgeries;
  const other = {
    ...jwt,
    claims: { ...jwt.claims, sub: api.options.otherUser ?? "hallpass-drill" },
  };
  // The owner of a resource may be compared with the sub.
  const later = { ...jwt, claims: { ...jwt.claims, exp: Number(jwt.claims.exp) + 60 } };
  const changed: Array<[what: string, token: string]> = [
    ["other claims under its jti", await forgeJwt(api.lab, later, foreign)],
    ["another user under its jti", await forgeJwt(api.lab, other, foreign)],
  ];
  const wrong: Deviation[] = [];
  for (const [what, each] of changed) {
    const request = await api.present(each, `a token that it has accepted, with ${what}`);
    const response = await api.send(request);
    if (isAccepted(response)) {
      wrong.push({ ...deviationIn(request, response), facts: ["with other claims"] });
    }
  }
  if (wrong.length > 0) return { wrong };
  return await refusing(async () => [
    await api.present(
      await forgeJwt(api.lab, jwt, foreign),
      "a token that it has accepted, with another signature",
    ),
  ])(api);
}
