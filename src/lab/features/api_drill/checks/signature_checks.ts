import { importJWK, type JWK, SignJWT } from "jose";
import { randomId } from "../../../../server/issuer/random.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import { makeKeyPair } from "../../../certificates/lab_certificate.ts";
import { signCertificate } from "../../../certificates/sign_certificate.ts";
import { basisOf } from "../../../findings/sentences.ts";
import { signingKeyOf, signJwt } from "../../../tokens/signed_tokens.ts";
import { commonForgeries, forgeJwt, makeAttackerKey } from "../../faults/jwt_forgery.ts";
import {
  type ApiCheck,
  type CheckVerdict,
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

const impersonation = "Anyone signs tokens for any user.";
const unknownKid = "hallpass-drill-unknown-key";

/** What an API must refuse because the server has not signed it. */
export const signatureChecks: readonly ApiCheck[] = [
  {
    id: "alg_none",
    title: "A token without a signature must be refused",
    class: "attack",
    ...basisOf("apiNone"),
    gain: impersonation,
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
  },
  {
    id: "hs256_public_key",
    title: "A token that is signed with the public key as a secret must be refused",
    class: "attack",
    ...basisOf("apiOneAlgorithm"),
    gain: `${impersonation} The public key is public.`,
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
  },
  {
    id: "foreign_key",
    title: "A token that another key has signed must be refused",
    class: "attack",
    ...basisOf("apiSignature"),
    gain: impersonation,
    fix:
      "Verify the signature with the keys at the 'jwks_uri' of your issuer; decoding is not enough.",
    leftOut: unlessOpaque,
    run: refusing(async (api) => {
      const token = await forgeJwt(api.lab, freshJwt(api), commonForgeries.foreign_signature);
      return [await api.present(token, "a token of another key under the kid of the server")];
    }),
  },
  {
    id: "header_key",
    title: "The key in the header of a token must not be used or fetched",
    mistake: "Uses or fetches the key in the header of a token",
    class: "attack",
    ...basisOf("apiKeys"),
    gain: `${impersonation} Or they make the API send requests into its own network (SSRF).`,
    fix:
      "Use the keys at the 'jwks_uri' of your issuer alone; ignore 'jwk', 'jku', 'x5u' and 'x5c'.",
    leftOut: unlessOpaque,
    run: tryHeaderKeys,
  },
  {
    id: "unknown_crit",
    title: "A token with an unknown critical header must be refused",
    class: "rule",
    ...basisOf("apiCritical"),
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
  },
];

/** Sends tokens that bring or name their own key, and listens where they lead. */
async function tryHeaderKeys(api: DrilledApi): Promise<CheckVerdict> {
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
  const wrong: Deviation[] = [];
  try {
    for (const [what, header] of [...keyHeaders(jwk, places), await certificateHeader(jwk)]) {
      const before = visits();
      const signed = { ...jwt, header: { ...jwt.header, kid: unknownKid, ...header } };
      const request = await api.present(await signJwt({ ...signed, key: privateKey }), what);
      const response = await api.send(request);
      if (isAccepted(response)) wrong.push(deviationIn(request, response));
      else if (visits() > before) {
        wrong.push({ received: `a request to the URL of ${what}` });
      }
    }
  } finally {
    await trap.close();
  }
  return { wrong };
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

/** Returns the header of a token with a certificate that no authority has signed. */
async function certificateHeader(jwk: JWK): Promise<KeyHeader> {
  const { privateKey: signer } = await makeKeyPair(false);
  const publicKey = await importJWK(jwk, jwk.alg, { extractable: true }) as CryptoKey;
  const names = { subject: "Attacker", issuer: "Attacker" };
  const der = await signCertificate({ ...names, publicKey, signer, extensions: [] });
  const x5c = [btoa(String.fromCharCode(...der))];
  return ["a token with the certificate of its own key in 'x5c'", { x5c }];
}
