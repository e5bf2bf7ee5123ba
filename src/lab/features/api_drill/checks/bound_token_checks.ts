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
import { advice, attack } from "./sentences.ts";

const gain = "A stolen token works without the key that it is bound to.";

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
  dpop: advice("apiScheme", {
    title: "An API that declares DPoP should accept a bound token with its proof",
    mistake: "Refuses a bound token with its proof",
    gain: "Clients with bound tokens cannot use the API, and others go on with tokens to steal.",
    fix: "Compare 'htu' with the URL that clients use, not with the one behind a proxy.",
    leftOut: ({ declaresDpop }) => declaresDpop ? undefined : undeclared,
    run: accepting(proven("a bound token with its proof", () => ({}))),
  }),
  dpop_as_bearer: attack("apiBothSchemes", {
    title: "A bound token must be refused without the proof of its key",
    mistake: "Accepts a bound token without the proof of its key",
    gain,
    fix: "Refuse a token with 'cnf', unless it comes with the scheme DPoP and a proof.",
    run: tryWithoutProof,
  }),
  dpop_other_key: attack("apiProofKey", {
    title: "The proof of another key must be refused",
    gain,
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
  dpop_other_method: attack("apiProofMethod", {
    title: "A proof for another method must be refused",
    gain: "An attacker who sees a proof for reading uses it to write.",
    fix: "Compare 'htm' with the method of the request.",
    leftOut,
    run: refusing(proven("a proof for another method", () => ({ method: "DELETE" }))),
  }),
  dpop_other_url: attack("apiProofUrl", {
    title: "A proof for another URL must be refused",
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
  dpop_replay: attack("apiProofTime", {
    title: "An old proof must be refused, and a new one should work once",
    mistake: "Accepts an old proof, or one twice",
    gain: "An attacker who sees a request repeats it.",
    fix: "Remember each 'jti' for as long as its proof is accepted, in all processes alike.",
    leftOut,
    run: tryUsedProofs,
  }),
  dpop_other_token: attack("apiProofToken", {
    title: "A proof for another token must be refused",
    gain: "A proof that was made for one token is used with another.",
    fix: "Compare 'ath' with the SHA-256 of the token.",
    leftOut,
    run: refusing(proven("a proof with the ath of another token", () => ({ token: "another" }))),
  }),
  // RFC 9728, section 2: the metadata of an API declares whether it supports such tokens.
  without_certificate: attack("apiCertificate", {
    title: "A token that is bound to a certificate must be refused without it",
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

/** An API must limit the time of a proof; it can remember each one, and need not. */
async function tryUsedProofs(api: DrilledApi): Promise<CheckReading> {
  const old = numericDate(api.lab.context) - hour;
  const verdict = await refusing(proven("a proof of an hour ago", () => ({ iat: old })))(api);
  const what = "a used proof";
  const request = await api.present(await boundToken(api), what, { scheme: "DPoP" });
  const once = { what, headers: (await api.toSend(request)).headers };
  await api.send(once);
  if (!isAccepted(await api.send(once))) return verdict;
  return {
    wrong: [...verdict.wrong ?? [], {
      class: "advice",
      received: "it accepts a proof for the second time",
    }],
  };
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
