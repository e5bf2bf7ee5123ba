/** @jsxImportSource preact */
import { base64url } from "jose";
import type { VNode } from "preact";
import { toHex } from "../../../server/util/bytes/encoding.ts";
import { digest } from "../../../server/util/crypto/hash.ts";
import { authorizationRequestOf } from "../../flows/check_facts.ts";
import type { Exchange } from "../../recording/exchange.ts";

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

/** The PKCE proof, worked through: verifier, SHA-256, base64url, challenge. */
export function pkceSteps(proof: PkceProof, withSecrets: boolean): VNode {
  const { verifier, hash, computed, challenge, isMatch } = proof;
  const shown = withSecrets ? verifier : `${verifier.length} characters, hidden`;
  const compared = isMatch ? "equals the code_challenge" : "differs from the code_challenge";
  const steps = [
    ["code_verifier", "the token request", shown],
    ["SHA-256 of it", "32 bytes", hash],
    ["as base64url", "what Hallpass computes", computed],
    [compared, "the authorization request", challenge],
  ];
  return (
    <>
      <h3>The proof behind PKCE</h3>
      <p class="help">
        Only the client that began the flow knows the verifier. The challenge, which went through
        the browser, does not reveal it.
      </p>
      <ol class={`proof ${isMatch ? "good" : "bad"}`}>
        {steps.map(([name, from, value]) => (
          <li>
            <span class="proof-name">{name}</span> <span class="muted">{from}</span>
            <code>{value}</code>
          </li>
        ))}
      </ol>
    </>
  );
}
