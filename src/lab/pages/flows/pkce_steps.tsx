/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { PkceProof } from "../../flows/pkce_proof.ts";

interface PkceStepsProps {
  proof: PkceProof;
  withSecrets: boolean;
}

/** The PKCE proof, worked through: verifier, SHA-256, base64url, challenge. */
export function PkceSteps({ proof, withSecrets }: PkceStepsProps): VNode {
  const { verifier, hash, computed, challenge, isMatch } = proof;
  return (
    <>
      <h3>The proof behind PKCE</h3>
      <p class="help">
        Only the client that began the flow knows the verifier. The challenge, which went through
        the browser, does not reveal it.
      </p>
      <ol class={`proof ${isMatch ? "good" : "bad"}`}>
        <ProofStep
          name="code_verifier"
          from="the token request"
          value={withSecrets ? verifier : `${verifier.length} characters, hidden`}
        />
        <ProofStep name="SHA-256 of it" from="32 bytes" value={hash} />
        <ProofStep name="as base64url" from="what Hallpass computes" value={computed} />
        <ProofStep
          name={isMatch ? "equals the code_challenge" : "differs from the code_challenge"}
          from="the authorization request"
          value={challenge}
        />
      </ol>
    </>
  );
}

interface ProofStepProps {
  name: string;
  from: string;
  value: string;
}

function ProofStep({ name, from, value }: ProofStepProps): VNode {
  return (
    <li>
      <span class="proof-name">{name}</span> <span class="muted">{from}</span>
      <code>{value}</code>
    </li>
  );
}
