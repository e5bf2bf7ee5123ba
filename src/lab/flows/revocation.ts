import type { ServerEvent } from "../../server/config/events.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { IssuedCredential } from "./flow_credentials.ts";

/** What ended a credential before its time. */
export interface Revocation {
  /** Why: "its code was used twice". */
  reason: string;
  /** The request that did it. */
  exchange: number;
}

/** Finds the request that revoked a credential. A user or client that is gone leaves none. */
export function findRevocation(
  exchanges: readonly Exchange[],
  credential: IssuedCredential,
): Revocation | undefined {
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
