import { type Exchange, presentedIn } from "../../recording/exchange.ts";
import { firstRedemption, type FlowCredentials } from "../flow_credentials.ts";
import { findRevocation } from "../revocation.ts";

/** What precedes an exchange in its flow. */
export interface FlowHistory {
  /** The exchanges of the flow that came before. */
  earlier: readonly Exchange[];
  /** What was issued in the flow. */
  credentials: FlowCredentials;
  /** Names an exchange for the reader: "request 7", or "step 12" beside a diagram. */
  nameExchange: (id: number) => string;
}

/** Returns how a refused credential ended, if the flow shows it. */
export function endOfCredential(
  exchange: Exchange,
  { earlier, credentials, nameExchange }: FlowHistory,
  ruleId: string,
): string | undefined {
  const presented = presentedIn(exchange.request);
  const credential = credentials.issued.find(({ value }) => presented.includes(value));
  if (!credential) return undefined;
  if (ruleId.endsWith(".unused")) {
    const first = firstRedemption(credentials, credential.value);
    return first && `used before, in ${nameExchange(first.exchange)}`;
  }
  if (!ruleId.endsWith(".active")) return undefined;
  const revocation = findRevocation(earlier, credential);
  return revocation && `revoked in ${nameExchange(revocation.exchange)}: ${revocation.reason}`;
}
