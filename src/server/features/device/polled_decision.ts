import {
  makeAuthorization,
  revokeAuthorization,
} from "../../issuer/authorizations/authorizations.ts";
import {
  type ConsentedRequest,
  storeConsented,
} from "../../issuer/authorizations/consented_request.ts";
import type { Context } from "../../issuer/context.ts";
import { fromNow, lastTokenExpiration } from "../../issuer/time.ts";
import type { Rule } from "../../protocol/rule.ts";
import type { PolledDecision, PolledTables, WaitingId } from "./polled_credential.ts";

interface DecidedRequest {
  waiting: WaitingId;
  /** About the decision of the user, who sees their messages. */
  rules: {
    in_time: Rule<{ expiresAt: number; now: number }>;
    unused: Rule<{ isFirst: boolean; isReplaced: boolean }>;
  };
  tables: PolledTables;
}

/** Stores that the user allowed a request, and returns the id of the authorization. */
export async function allowPolled(
  ctx: Context,
  allowed: ConsentedRequest,
  decided: DecidedRequest,
): Promise<string> {
  const { client, pending, signedIn } = allowed;
  const { lifetime } = decided.tables;
  const authorization = await makeAuthorization(ctx, client, pending, signedIn, lifetime);
  await storeConsented(ctx, allowed, authorization);
  const decision = { authorization: authorization.id };
  try {
    await decideOnce(ctx, decided, decision, lastTokenExpiration(ctx, authorization));
  } catch (cause) {
    await revokeAuthorization(ctx, authorization, "its request was decided about before");
    throw cause;
  }
  return authorization.id;
}

/** Stores that the user denied a request. */
export async function denyPolled(ctx: Context, decided: DecidedRequest): Promise<void> {
  await decideOnce(ctx, decided, { denied: true }, fromNow(ctx, 2 * decided.tables.lifetime));
}

/**
 * A request is decided about once. If two browsers decide at the same time, one of them is too late.
 */
async function decideOnce(
  ctx: Context,
  { waiting: { id, expiresAt }, rules, tables }: DecidedRequest,
  decision: PolledDecision,
  keepUntil: number,
): Promise<void> {
  ctx.apply(rules.in_time, { expiresAt, now: ctx.now() });
  const isFirst = await tables.decisions.add(id, decision, keepUntil);
  const made = isFirst ? decision : await tables.decisions.find(id);
  ctx.apply(rules.unused, { isFirst, isReplaced: made?.replaced ?? false });
}
