import type { CoreLab } from "../core/core_lab.ts";
import { type CredentialState, statesOf } from "../flows/credential_state.ts";
import {
  type CredentialKind,
  firstRedemption,
  type IssuedCredential,
  readFlowCredentials,
} from "../flows/flow_credentials.ts";
import { type FlowSource, requireFlowSource } from "../flows/flow_source.ts";
import { stateSourcesOf } from "../flows/state_sources.ts";
import type { Exchange } from "../recording/exchange.ts";

/** What became of a code, and of the tokens that it was exchanged for. */
export interface PlayedFlow {
  source: FlowSource;
  /** The exchange that issued the code. */
  issuing: Exchange;
  codeState: CredentialState;
  /** The client that redeemed the code. */
  spentBy?: string | undefined;
  /** The newest tokens of the flow. */
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** Finds the flow that issued a code, unless the code or the flow is no longer known. */
export async function playedFlowOf(lab: CoreLab, code: string): Promise<PlayedFlow | undefined> {
  const row = await lab.context.records.codes.getStored(code);
  const all = lab.exchanges();
  const issuing = row &&
    all.findLast(({ events }) =>
      events.some((event) =>
        event.type === "code.issued" && event.authorization === row.value.authorization
      )
    );
  if (!issuing) return undefined;
  const source = requireFlowSource(lab, `request-${issuing.id}`);
  const credentials = readFlowCredentials(source.exchanges, lab.issuer);
  const states = await statesOf(stateSourcesOf(lab, credentials));
  const redemption = firstRedemption(credentials, code);
  return {
    source,
    issuing,
    codeState: states.get(code) ?? { kind: "unknown" },
    spentBy: source.exchanges.find(({ id }) => id === redemption?.exchange)?.request.client,
    accessToken: newest(credentials.issued, "access token"),
    refreshToken: newest(credentials.issued, "refresh token"),
  };
}

function newest(issued: readonly IssuedCredential[], kind: CredentialKind): string | undefined {
  return issued.findLast((each) => each.kind === kind)?.value;
}
