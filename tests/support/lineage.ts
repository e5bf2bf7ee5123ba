import { type CredentialState, statesOf } from "../../src/lab/flows/credential_state.ts";
import { exchangesOfFlow } from "../../src/lab/flows/describe_flow.ts";
import { readFlowCredentials } from "../../src/lab/flows/flow_credentials.ts";
import { type LineageNode, lineageOf } from "../../src/lab/flows/lineage.ts";
import type { Lab } from "../../src/lab/lab.ts";
import { present } from "./present.ts";

/** What happens in a flow, and the tree that it leaves. */
export type LineageCase = readonly [
  what: string,
  play: (lab: Lab) => Promise<unknown>,
  tree: readonly string[],
];

/** Returns the tree of what the first flow of a lab issued. */
export async function lineageIn(lab: Lab): Promise<string[]> {
  const flow = present(lab.flows()[0]);
  const credentials = readFlowCredentials(exchangesOfFlow(flow, lab.exchanges()), lab.issuer);
  const states = await statesOf(lab, credentials);
  return lineageOf(credentials, states).flatMap((node) => linesOf(node, ""));
}

function linesOf({ name, state, children }: LineageNode, indent: string): string[] {
  return [
    `${indent}${name}: ${stateText(state)}`,
    ...children.flatMap((child) => linesOf(child, `${indent}  `)),
  ];
}

function stateText(state: CredentialState): string {
  return state.kind === "revoked" && state.reason ? `revoked, ${state.reason}` : state.kind;
}
