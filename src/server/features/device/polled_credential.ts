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
import { requirePresent, requireValue } from "../../protocol/rule.ts";
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
  | { denied?: undefined; replaced?: undefined; authorization: string }
  // Earlier versions, whose servers may use the same store, take a replaced one for a denied one.
  | { denied: true; replaced?: true; authorization?: undefined };

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
    rules: PollingRules;
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
  const decision = await tables.decisions.find(id);
  const isReplaced = decision?.replaced ?? false;
  ctx.apply(rules.in_time, { expiresAt, now: ctx.now(), used, isReplaced });
  ctx.apply(rules.interval, decision ? undefined : await storePoll(ctx, id, tables));
  const decided = requirePresent(ctx.apply, rules.decided, decision);
  const allowed = requireValue(ctx.apply, rules.allowed, decided, decided.authorization);
  const issued = { authorization: allowed };
  ctx.note(issued);
  const { authorization, user } = await requireActiveAuthorization(ctx, client, rules, issued);
  return {
    entitlement: {
      ...narrowAccessRights(ctx.apply, access, authorization, ctx.settings),
      authorization,
      user,
    },
    use: useOnce(ctx, {
      rules,
      table: tables.credentials,
      secret,
      value,
      used,
      authorization,
      user,
    }),
  };
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
