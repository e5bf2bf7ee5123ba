import type { ServerEvent } from "../../server/config/events.ts";
import { type Exchange, presentedIn } from "../recording/exchange.ts";
import {
  firstRedemption,
  type FlowCredentials,
  type IssuedCredential,
} from "./flow_credentials.ts";

/** What precedes an exchange in its flow. */
export interface FlowHistory {
  /** The exchanges of the flow that came before. */
  earlier: readonly Exchange[];
  /** What was issued in the flow. */
  credentials: FlowCredentials;
  /** Names an exchange for the reader: "request 7", or "step 12" next to a diagram. */
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

/** Finds the request that revoked a credential. A user or client that is gone leaves none. */
export function findRevocation(
  exchanges: readonly Exchange[],
  credential: IssuedCredential,
): { reason: string; exchange: number } | undefined {
  for (const { id, events, request } of exchanges) {
    const isNamed = request.form.get("token") === credential.value;
    for (const event of events) {
      const reason = revocationReason(event, credential, isNamed);
      if (reason !== undefined) return { reason, exchange: id };
    }
  }
  return undefined;
}

function revocationReason(
  event: ServerEvent,
  { authorization }: IssuedCredential,
  isNamed: boolean,
): string | undefined {
  if (event.type === "token.revoked" && isNamed) return "its client revoked it";
  if (event.type !== "authorization.revoked") return undefined;
  const isOfThisAuthorization = authorization !== undefined &&
    event.authorization === authorization;
  return isOfThisAuthorization ? event.reason : undefined;
}
