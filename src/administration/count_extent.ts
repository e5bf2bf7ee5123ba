import { featuresOf } from "../server/issuer/active_features.ts";
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

/** Counts what users have allowed a client, of whose consents the subjects may be known. */
export async function extentOfClient(
  ctx: Context,
  id: string,
  subjects?: readonly string[],
): Promise<Extent> {
  return {
    authorizations: await count(entriesOf(authorizationsOfClient(ctx, id))),
    consents: (subjects ?? await subjectsOfClient(ctx, id)).length,
  };
}

/**
 * Returns the users whose consents a client has, and one more than `maxCounted` if there are too
 * many. Consents are not listed by client, so all are read.
 */
export async function subjectsOfClient(ctx: Context, id: string): Promise<string[]> {
  const subjects: string[] = [];
  for await (const [rowId] of ctx.records.consents.each()) {
    const { subject, clientId } = consentParties(rowId);
    if (clientId !== id) continue;
    subjects.push(subject);
    if (subjects.length > maxCounted) break;
  }
  return subjects;
}

/** Counts the sessions and passkeys of a user, and what they have allowed clients. */
export async function extentOfUser(ctx: Context, user: User): Promise<Extent> {
  const passkeys = await featuresOf(ctx).passkeys?.count(ctx, user);
  return {
    sessions: await count(entriesOf(sessionsOf(ctx, user))),
    authorizations: await count(authorizationsOfUser(ctx, user.subject)),
    consents: await count(ctx.records.consents.each(idPrefix(user.subject))),
    ...passkeys && { passkeys },
  };
}

/** Counts until there are too many to count: the number is then one more than `maxCounted`. */
async function count(entries: AsyncIterable<unknown>): Promise<number> {
  let counted = 0;
  for await (const _ of entries) {
    if (++counted > maxCounted) break;
  }
  return counted;
}
