import {
  authorizationsOfClient,
  authorizationsOfUser,
} from "../server/issuer/authorizations/authorization_rows.ts";
import { consentParties } from "../server/issuer/authorizations/consents.ts";
import type { Context } from "../server/issuer/context.ts";
import { idPrefix } from "../server/issuer/records/row_id.ts";
import { entriesOf } from "../server/issuer/records/store_calls.ts";
import { sessionsOf } from "../server/issuer/sessions/session_lists.ts";
import type { User } from "../server/model/user.ts";
import { type Extent, maxCounted } from "./extent.ts";

/** Counts what users have allowed a client. Consents are not listed by client, so all are read. */
export async function extentOfClient(ctx: Context, id: string): Promise<Extent> {
  const { consents } = ctx.records;
  return {
    authorizations: await count(entriesOf(authorizationsOfClient(ctx, id))),
    consents: await count(consents.each(), ([rowId]) => consentParties(rowId).clientId === id),
  };
}

/** Counts the sessions of a user, and what they have allowed clients. */
export async function extentOfUser(ctx: Context, user: User): Promise<Extent> {
  return {
    sessions: await count(entriesOf(sessionsOf(ctx, user))),
    authorizations: await count(authorizationsOfUser(ctx, user.subject)),
    consents: await count(ctx.records.consents.each(idPrefix(user.subject))),
  };
}

/** Counts until there are too many to count: the number is then one more than `maxCounted`. */
async function count<T>(
  entries: AsyncIterable<T>,
  isCounted: (entry: T) => boolean = () => true,
): Promise<number> {
  let counted = 0;
  for await (const entry of entries) {
    if (isCounted(entry) && ++counted > maxCounted) break;
  }
  return counted;
}
