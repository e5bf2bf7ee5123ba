import type { ServerEvent } from "../../../server/config/events.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { readLedger } from "../../flows/ledger.ts";
import type { Exchange } from "../../recording/exchange.ts";

/** An event of one type. */
export type ServerEventOf<Type extends ServerEvent["type"]> = Extract<ServerEvent, { type: Type }>;

/** The flow in which a credential was issued. */
export interface IssuingFlow {
  exchanges: readonly Exchange[];
  /** The exchange that issued it. */
  issuing: Exchange;
}

/** Returns the flow in which a code or token was issued, if that is recorded. */
export function issuingFlowOf(lab: CoreLab, credential: string): IssuingFlow | undefined {
  const recorded = lab.exchanges();
  const { issued } = readLedger(recorded, lab.issuer);
  const { issuedBy } = issued.find(({ value }) => value === credential) ?? {};
  const issuing = recorded.find(({ id }) => id === issuedBy);
  return issuing &&
    { issuing, exchanges: requireFlowSource(lab, `request-${issuing.id}`).exchanges };
}
