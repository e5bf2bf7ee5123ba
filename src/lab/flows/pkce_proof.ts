import { base64url } from "jose";
import { toHex } from "../../server/util/bytes/encoding.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import type { Exchange } from "../recording/exchange.ts";
import { authorizationRequestOf } from "./checks/check_facts.ts";

/** How a code verifier becomes a challenge, step by step (RFC 7636, section 4.6). */
export interface PkceProof {
  verifier: string;
  /** The SHA-256 of the verifier, in hexadecimal digits. */
  hash: string;
  /** The hash in base64url. */
  computed: string;
  /** The challenge of the authorization request. */
  challenge: string;
  isMatch: boolean;
}

/** Works the proof of a code exchange through, or returns undefined if it has none. */
export async function pkceProofOf(
  { request }: Exchange,
  flow: readonly Exchange[],
): Promise<PkceProof | undefined> {
  const verifier = request.form.get("code_verifier");
  const challenge = authorizationRequestOf(flow)?.get("code_challenge");
  if (request.endpoint !== "token" || verifier === null || !challenge) return undefined;
  const bytes = await digest("SHA-256", verifier);
  const computed = base64url.encode(bytes);
  return { verifier, hash: toHex(bytes), computed, challenge, isMatch: computed === challenge };
}
