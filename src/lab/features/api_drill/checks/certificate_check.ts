import { sha256 } from "../../../../server/util/crypto/hash.ts";
import { advice, type ApiCheck, type ApiVerdict, isAccepted, violation } from "../api_check.ts";
import { type DrilledApi, freshJwt } from "../drilled_api.ts";

/** RFC 9728, section 2: the metadata of an API declares whether it supports such tokens. */
export const certificateCheck: ApiCheck = {
  id: "without_certificate",
  title: "A token that is bound to a certificate should be refused without it, " +
    "and must be if the API declares that it supports such tokens",
  see: "RFC 8705, section 3",
  gain: "A stolen token works without the certificate that it is bound to.",
  fix: "Refuse a token with 'cnf.x5t#S256', unless the connection has proved that certificate.",
  run: tryWithoutCertificate,
};

async function tryWithoutCertificate(api: DrilledApi): Promise<ApiVerdict> {
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
