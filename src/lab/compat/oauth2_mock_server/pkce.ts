import { sha256 } from "../../../server/util/crypto/hash.ts";
import type { BoundedMap } from "../../../server/util/values/bounded_map.ts";
import type { PendingCode } from "./mock_exchange.ts";
import { InvalidRequest } from "./problem.ts";
import type { MockTokenRequest } from "./types.ts";

/** The form of a code verifier (RFC 7636, section 4.1). */
const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Checks the code verifier of a token request, if it has one. */
export async function checkVerifier(
  codes: BoundedMap<PendingCode>,
  { code = "", code_verifier: verifier }: MockTokenRequest,
): Promise<void> {
  if (verifier === undefined) return;
  if (!verifierForm.test(verifier)) {
    throw new InvalidRequest(
      "Invalid 'code_verifier'. The verifier does not conform with the RFC7636 spec. Ref: " +
        "https://datatracker.ietf.org/doc/html/rfc7636#section-4.1",
    );
  }
  const { challenge, method } = codes.get(code) ?? {};
  if (challenge === undefined) throw new InvalidRequest("code_challenge required");
  const sent = method === "S256" ? await sha256(verifier) : verifier;
  if (sent !== challenge) {
    throw new InvalidRequest("code_verifier provided does not match code_challenge");
  }
}
