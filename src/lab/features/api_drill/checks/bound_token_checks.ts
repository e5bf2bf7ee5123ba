import { numericDate } from "../../../../server/issuer/time.ts";
import { sha256 } from "../../../../server/util/crypto/hash.ts";
import { hour } from "../../../../server/util/time/duration.ts";
import type { CheckTable } from "../../../findings/sentences.ts";
import {
  accepting,
  type ApiCheck,
  type CheckReading,
  deviationIn,
  isAccepted,
  refusing,
  refusingFirst,
} from "../api_check.ts";
import type { ProofParts } from "../attacker.ts";
import { boundTo, type DrilledApi, freshJwt } from "../drilled_api.ts";
import { must, should } from "./sentences.ts";

const stolen = {
  takes: "a token",
  size: "limit",
  gain: "A stolen token works without the key that it is bound to.",
} as const;

const leftOut = ({ takesDpop, options }: DrilledApi) =>
  takesDpop || options.dpop
    ? undefined
    : 'The API accepts no token with DPoP. If it must: --dpop, or "dpop": true.';

const boundAsBearer =
  "If clients bind their tokens to a key (DPoP): such a token works as any other.";

const withoutCertificate = "If clients bind their tokens to a certificate (mutual TLS): such a " +
  "token works without it.";

const undeclared =
  "Not checked because the API does not declare DPoP with ES256. To declare it, send " +
  'WWW-Authenticate: DPoP algs="ES256" with 401, or list dpop_signing_alg_values_supported in ' +
  'the metadata of the API. Or demand it: --dpop, or "dpop": true.';

/** What an API must refuse of tokens that are bound to a key or a certificate. */
export const boundTokenChecks: CheckTable<ApiCheck> = {
  dpop: should("apiScheme", {
    kind: "interoperability",
    title: "An API that declares DPoP should accept a bound token with its proof",
    mistake: "Refuses a bound token with its proof",
    gain: "Clients with bound tokens cannot use the API, and others go on with tokens to steal.",
    fix: "Compare 'htu' with the URL that clients use, not with the one behind a proxy.",
    leftOut: ({ declaresDpop }) => declaresDpop ? undefined : undeclared,
    run: accepting(proven("a bound token with its proof", () => ({}))),
  }),
  dpop_as_bearer: must("apiBothSchemes", {
    title: "A bound token must be refused without the proof of its key",
    mistake: "Accepts a bound token without the proof of its key",
    ...stolen,
    fix: "Refuse a token with 'cnf', unless it comes with the scheme DPoP and a proof.",
    run: tryWithoutProof,
  }),
  dpop_other_key: must("apiProofKey", {
    title: "The proof of another key must be refused",
    ...stolen,
    fix:
      "Verify the proof with the key in its header, and compare the thumbprint of that key with " +
      "'cnf.jkt' of the token.",
    leftOut,
    run: refusing(
      proven("the proof of another key", ({ keys }) => ({ key: keys.other })),
      proven("a proof with the right key, which another one has signed", ({ keys }) => ({
        key: { ...keys.own, privateKey: keys.other.privateKey },
      })),
    ),
  }),
  dpop_other_method: must("apiProofMethod", {
    title: "A proof for another method must be refused",
    takes: "a token",
    size: "limit",
    gain: "An attacker who sees a proof for reading uses it to write.",
    fix: "Compare 'htm' with the method of the request.",
    leftOut,
    run: refusing(proven("a proof for another method", () => ({ method: "DELETE" }))),
  }),
  dpop_other_url: must("apiProofUrl", {
    title: "A proof for another URL must be refused",
    takes: "an API",
    gain: "An API that gets a proof, and the token, passes both on to another one.",
    fix: "Compare 'htu' with the URL of the request as its client knows it.",
    leftOut,
    run: refusingFirst(
      proven("a proof for another URL", () => ({ url: "https://other.example/" })),
      proven("a proof for the same path of another host", ({ url }) => ({
        url: `https://other.example${new URL(url).pathname}`,
      })),
      proven("a proof for another path", ({ url }) => ({ url: `${url.split("?", 1)[0]}/drill` })),
    ),
  }),
  dpop_replay: must("apiProofTime", {
    title: "An old proof must be refused",
    takes: "a token",
    size: "limit",
    gain: "An attacker who has seen a request repeats it much later.",
    fix: "Compare 'iat' with the time, and allow a few minutes at most.",
    leftOut,
    run: async (api) => {
      const old = numericDate(api.lab.context) - hour;
      return await refusing(proven("a proof of an hour ago", () => ({ iat: old })))(api);
    },
  }),
  // A server can remember each proof, and need not.
  dpop_used_twice: should("apiProofTime", {
    title: "A proof should work once",
    mistake: "Accepts a proof twice",
    gain: "An attacker who sees a request repeats it at once.",
    fix: "Remember each 'jti' for as long as its proof is accepted, in all processes alike.",
    leftOut,
    run: tryUsedProof,
  }),
  dpop_other_token: must("apiProofToken", {
    title: "A proof for another token must be refused",
    takes: "a token",
    size: "limit",
    gain: "A proof that was made for one token is used with another.",
    fix: "Compare 'ath' with the SHA-256 of the token.",
    leftOut,
    run: refusing(proven("a proof with the ath of another token", () => ({ token: "another" }))),
  }),
  // RFC 9728, section 2: the metadata of an API declares whether it supports such tokens.
  without_certificate: must("apiCertificate", {
    title: "A token that is bound to a certificate must be refused without it",
    takes: "a token",
    size: "limit",
    mistake: "Accepts a token without the certificate that it is bound to",
    gain: "A stolen token works without the certificate that it is bound to.",
    fix: "Refuse a token with 'cnf.x5t#S256', unless the connection has proved that certificate.",
    run: tryWithoutCertificate,
  }),
};

/** An API without DPoP may take such a token as any other (RFC 9449, section 7.2). */
async function tryWithoutProof(api: DrilledApi): Promise<CheckReading> {
  const [one, other] = await Promise.all([boundToken(api), boundToken(api)]);
  const asBearer = await api.present(one, "a bound token sent as Bearer", { scheme: "Bearer" });
  const bare = { what: "a bound token without a proof" };
  const withoutProof = { ...bare, headers: { Authorization: `DPoP ${other}` } };
  if (leftOut(api) === undefined) return await refusing(async () => [asBearer, withoutProof])(api);
  const isTaken = isAccepted(await api.send(asBearer));
  return isTaken ? { unjudged: boundAsBearer } : { note: "It refuses a bound token." };
}

async function tryUsedProof(api: DrilledApi): Promise<CheckReading> {
  const what = "a used proof";
  const request = await api.present(await boundToken(api), what, { scheme: "DPoP" });
  const once = { what, headers: (await api.toSend(request)).headers };
  await api.send(once);
  const isTaken = isAccepted(await api.send(once));
  return isTaken ? { wrong: [{ received: "it accepts a proof for the second time" }] } : {};
}

async function boundToken(api: DrilledApi): Promise<string> {
  return await api.mint({ claims: boundTo(api.keys) });
}

function proven(what: string, changes: (api: DrilledApi) => Partial<ProofParts>) {
  return async (api: DrilledApi) => {
    const how = { scheme: "DPoP", proof: changes(api) };
    return [await api.present(await boundToken(api), what, how)];
  };
}

async function tryWithoutCertificate(api: DrilledApi): Promise<CheckReading> {
  // An API that takes no token without DPoP gets one that is bound to both.
  const { cnf } = freshJwt(api).claims;
  const bound = { ...cnf as object, "x5t#S256": await sha256("a certificate") };
  const token = await api.mint({ claims: { cnf: bound } });
  const request = await api.present(token, "a token that is bound to a certificate");
  const response = await api.send(request);
  if (!isAccepted(response)) return {};
  const isBinding = api.bindsToCertificates || api.options.mutualTls === true;
  return isBinding ? { wrong: [deviationIn(request, response)] } : { unjudged: withoutCertificate };
}
