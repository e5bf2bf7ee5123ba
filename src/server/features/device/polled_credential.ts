import type { GrantResult } from "../../grants/grant.ts";
import {
  requireActiveAuthorization,
  requireRow,
  useOnce,
} from "../../grants/one_time_credential.ts";
import type { Context } from "../../issuer/context.ts";
import type { Table } from "../../issuer/records/table.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client, ClientReference } from "../../model/client.ts";
import { narrowAccessRights, type RequestedAccess } from "../../protocol/access_request.ts";
import { requirePresent, requireValue, type Rule } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { type Poll, type PollingRules, type PollingState, recordPoll } from "./polling_rules.ts";

/** A request that waits for a user. */
export interface WaitingId {
  /** The id under which the decision is stored. It is not a secret. */
  id: string;
  /** When its client gives up, in milliseconds. */
  expiresAt: number;
}

/** A credential with which a client polls until a user has decided. */
export interface PolledCredential {
  clientId: string;
  requestedBy: ClientReference;
  waiting: WaitingId;
  /** The same of a device, as earlier versions name it: their servers may use the same store. */
  device?: WaitingId;
  /** The PKCE challenge of a device that sent one. */
  codeChallenge?: string | undefined;
}

/** What a user decided about a request, or that a newer one replaced it. */
export type PolledDecision =
  | { denied?: undefined; authorization: string }
  // Earlier versions, whose servers may use the same store, take a replaced one for a denied one.
  | { denied: true; replaced?: true };

/** A rule that no newer request replaced the one that was decided about. */
export type LatestRule = Rule<PolledDecision | undefined>;

/** Whether a newer request replaced the one of a decision. */
export function isReplaced(decision: PolledDecision | undefined): boolean {
  return decision?.denied === true && decision.replaced === true;
}

/** Where credentials are stored, and decisions and polls by the id of the request. */
export interface PolledTables {
  credentials: Table<PolledCredential>;
  decisions: Table<PolledDecision>;
  pollings: Table<PollingState>;
  /** How long the credential lasts, in seconds. */
  lifetime: number;
}

/** Redeems a credential of this client, once the user has decided. */
export async function redeemPolled(
  ctx: Context,
  client: Client,
  { rules, tables, secret, row, access, check }: {
    rules: PollingRules & { latest?: LatestRule };
    tables: PolledTables;
    secret: string;
    row: Row<PolledCredential> | undefined;
    access: RequestedAccess;
    /** Checks what else the credential requires. */
    check?: (value: PolledCredential) => Promise<void>;
  },
): Promise<GrantResult> {
  const { value, usedAt } = requireRow(ctx, rules, row);
  const { waiting: { id, expiresAt } } = value;
  const used = usedAt !== undefined;
  ctx.apply(rules.client, { received: client.id, expected: value.clientId });
  ctx.apply(rules.same_client, { issuedTo: value.requestedBy, client });
  await check?.(value);
  ctx.apply(rules.in_time, { expiresAt, now: ctx.now(), used });
  const issued = { authorization: await requireDecision(ctx, rules, id, tables) };
  ctx.note(issued);
  const authorization = await requireActiveAuthorization(ctx, client, rules, issued);
  return {
    entitlement: {
      ...narrowAccessRights(ctx.apply, access, authorization, ctx.settings),
      authorization,
    },
    use: useOnce(ctx, { rules, table: tables.credentials, secret, value, used, authorization }),
  };
}

/** Returns the id of the authorization, once the user has allowed it. */
async function requireDecision(
  ctx: Context,
  rules: PollingRules & { latest?: LatestRule },
  id: string,
  tables: PolledTables,
): Promise<string> {
  const decision = await tables.decisions.find(id);
  if (rules.latest) ctx.apply(rules.latest, decision);
  ctx.apply(rules.interval, decision ? undefined : await storePoll(ctx, id, tables));
  const decided = requirePresent(ctx.apply, rules.decided, decision);
  const authorization = decided.denied ? undefined : decided.authorization;
  return requireValue(ctx.apply, rules.allowed, { authorization }, authorization);
}

/** Stores the poll. If two arrive at once, one may not be counted; it affects the rate only. */
async function storePoll(
  ctx: Context,
  id: string,
  { pollings, lifetime }: PolledTables,
): Promise<Poll> {
  const poll = recordPoll(await pollings.find(id), ctx.now());
  await pollings.put(id, poll.polling, fromNow(ctx, lifetime));
  return poll;
}
