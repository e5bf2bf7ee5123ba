import { numericDate } from "../../../../server/issuer/time.ts";
import { sha256 } from "../../../../server/util/crypto/hash.ts";
import { hour } from "../../../../server/util/time/duration.ts";
import {
  accepting,
  advice,
  type ApiCheck,
  type CheckVerdict,
  isAccepted,
  refusing,
  violation,
} from "../api_check.ts";
import type { ProofParts } from "../attacker.ts";
import { boundTo, type DrilledApi, freshJwt } from "../drilled_api.ts";

const see = "RFC 9449, section 4.3";
const gain = "A stolen token works without the key that it is bound to.";

/** RFC 9449, section 7.2: an API that knows only RFC 6750 takes such a token as any other. */
const leftOut = ({ takesDpop, options }: DrilledApi) =>
  takesDpop || options.dpop
    ? undefined
    : 'The API accepts no token with DPoP. If it must: --dpop, or "dpop": true.';

const undeclared =
  "Not checked because the API does not declare DPoP with ES256. To declare it, send " +
  'WWW-Authenticate: DPoP algs="ES256" with 401, or list dpop_signing_alg_values_supported in ' +
  'the metadata of the API. Or demand it: --dpop, or "dpop": true.';

/** What an API must refuse of tokens that are bound to a key or a certificate. */
export const boundTokenChecks: readonly ApiCheck[] = [
  {
    id: "dpop",
    title: "An API that declares DPoP must accept a bound token with its proof",
    see: "RFC 9449, section 7.1",
    gain: "Clients with bound tokens cannot use the API, and others go on with tokens to steal.",
    fix: "Compare 'htu' with the URL that clients use, not with the one behind a proxy.",
    leftOut: ({ declaresDpop }) => declaresDpop ? undefined : undeclared,
    run: accepting(proven("a bound token with its proof", () => ({}))),
  },
  {
    id: "dpop_as_bearer",
    title: "A bound token must be refused without the proof of its key",
    see: "RFC 9449, section 7.2",
    gain,
    fix: "Refuse a token with 'cnf', unless it comes with the scheme DPoP and a proof.",
    leftOut,
    run: refusing(async (api) => {
      const [one, other] = await Promise.all([boundToken(api), boundToken(api)]);
      return [
        await api.present(one, "a bound token sent as Bearer", { scheme: "Bearer" }),
        { what: "a bound token without a proof", headers: { Authorization: `DPoP ${other}` } },
      ];
    }),
  },
  {
    id: "dpop_other_key",
    title: "The proof of another key must be refused",
    see: "RFC 9449, section 7.1",
    gain,
    fix: "Compare the thumbprint of the key in the proof with 'cnf.jkt' of the token.",
    leftOut,
    run: refusing(proven("the proof of another key", ({ keys }) => ({ key: keys.other }))),
  },
  {
    id: "dpop_other_method",
    title: "A proof for another method must be refused",
    see,
    gain: "An attacker who sees a proof for reading uses it to write.",
    fix: "Compare 'htm' with the method of the request.",
    leftOut,
    run: refusing(proven("a proof for another method", () => ({ method: "DELETE" }))),
  },
  {
    id: "dpop_other_url",
    title: "A proof for another URL must be refused",
    see,
    gain: "An API that gets a proof, and the token, passes both on to another one.",
    fix: "Compare 'htu' with the URL of the request as its client knows it.",
    leftOut,
    run: refusing(proven("a proof for another URL", () => ({ url: "https://other.example/" }))),
  },
  {
    id: "dpop_replay",
    title: "An old proof must be refused, and a new one should work once",
    see: "RFC 9449, section 11.1",
    gain: "An attacker who sees a request repeats it.",
    fix: "Remember each 'jti' for as long as its proof is accepted, in all processes alike.",
    leftOut,
    run: tryUsedProofs,
  },
  {
    id: "dpop_other_token",
    title: "A proof for another token must be refused",
    see,
    gain: "A proof that was made for one token is used with another.",
    fix: "Compare 'ath' with the SHA-256 of the token.",
    leftOut,
    run: refusing(proven("a proof with the ath of another token", () => ({ token: "another" }))),
  },
  {
    // RFC 9728, section 2: the metadata of an API declares whether it supports such tokens.
    id: "without_certificate",
    title: "A token that is bound to a certificate should be refused without it, " +
      "and must be if the API declares that it supports such tokens",
    see: "RFC 8705, section 3",
    gain: "A stolen token works without the certificate that it is bound to.",
    fix: "Refuse a token with 'cnf.x5t#S256', unless the connection has proved that certificate.",
    run: tryWithoutCertificate,
  },
];

/** An API must limit the time of a proof; it can remember each one, and need not. */
async function tryUsedProofs(api: DrilledApi): Promise<CheckVerdict> {
  const old = numericDate(api.lab.context) - hour;
  const verdict = await refusing(proven("a proof of an hour ago", () => ({ iat: old })))(api);
  const once = await api.present(await boundToken(api), "a used proof", { scheme: "DPoP" });
  await api.send(once);
  if (!isAccepted(await api.send(once))) return verdict;
  return { wrong: [...verdict.wrong ?? [], advice("it accepts a proof for the second time")] };
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

async function tryWithoutCertificate(api: DrilledApi): Promise<CheckVerdict> {
  // An API that takes no token without DPoP gets one that is bound to both.
  const { cnf } = freshJwt(api).claims;
  const bound = { ...cnf as object, "x5t#S256": await sha256("a certificate") };
  const token = await api.mint({ claims: { cnf: bound } });
  const request = await api.present(token, "a token that is bound to a certificate");
  const response = await api.send(request);
  if (!isAccepted(response)) return {};
  if (api.bindsToCertificates) return { wrong: [violation(request, response)] };
  return { wrong: [advice("it does not look at the certificate that a token is bound to")] };
}
