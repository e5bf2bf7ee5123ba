import type { CredentialState } from "./credential_state.ts";
import { type FlowCredentials, type IssuedCredential, nameOf } from "./flow_credentials.ts";

/** A credential in the tree of what was issued from what. */
export interface LineageNode {
  /** What it is, without revealing it: "refresh token 2". */
  name: string;
  credential: IssuedCredential;
  state: CredentialState;
  /** What was issued in exchange for it, in order. */
  children: LineageNode[];
}

/** Returns the trees of a flow: usually one, which begins with the code. */
export function lineageOf(
  credentials: FlowCredentials,
  states: ReadonlyMap<string, CredentialState>,
): LineageNode[] {
  const values = new Set(credentials.issued.map(({ value }) => value));
  const nodesOf = (parent: string | undefined): LineageNode[] =>
    credentials.issued
      .filter((each) => knownParent(each, values) === parent)
      .map((credential) => ({
        name: nameOf(credential, credentials),
        credential,
        state: states.get(credential.value) ?? { kind: "unknown" },
        children: nodesOf(credential.value),
      }));
  return nodesOf(undefined);
}

/** A token that was exchanged for one of another flow is the first of this one. */
function knownParent(
  { parent, value }: IssuedCredential,
  values: ReadonlySet<string>,
): string | undefined {
  return parent !== undefined && parent !== value && values.has(parent) ? parent : undefined;
}
