/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { PkceProof } from "../../flows/pkce_proof.ts";

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
