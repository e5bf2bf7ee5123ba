import { authorizationIdOf } from "../server/issuer/authorizations/authorizations.ts";
import { consentParties } from "../server/issuer/authorizations/consents.ts";
import type { Context } from "../server/issuer/context.ts";
import { idPrefix } from "../server/issuer/records/row_id.ts";
import { listSessions } from "../server/issuer/sessions/session_lists.ts";
import type { User } from "../server/model/user.ts";
import type { Extent } from "./extent.ts";

/** Counts what users have allowed a client. */
export async function extentOfClient(ctx: Context, id: string): Promise<Extent> {
  return {
    authorizations: await count(
      ctx.records.authorizations.pages(),
      ([, { clientId }]) => clientId === id,
    ),
    consents: await count(
      ctx.records.consents.pages(),
      ([rowId]) => consentParties(rowId).clientId === id,
    ),
  };
}

/** Counts the sessions of a user, and what they have allowed clients. */
export async function extentOfUser(ctx: Context, user: User): Promise<Extent> {
  const { authorizations, userAuthorizations, consents } = ctx.records;
  return {
    sessions: (await listSessions(ctx, user)).length,
    // A revocation that was interrupted may have left a row that leads nowhere.
    authorizations: await count(
      userAuthorizations.pages(idPrefix(user.subject)),
      async ([rowId]) => await authorizations.find(authorizationIdOf(rowId)) !== undefined,
    ),
    consents: await count(consents.pages(idPrefix(user.subject))),
  };
}

async function count<T>(
  pages: AsyncIterable<T[]>,
  isCounted: (row: T) => boolean | Promise<boolean> = () => true,
): Promise<number> {
  let counted = 0;
  for await (const page of pages) {
    counted += (await Promise.all(page.map(isCounted))).filter(Boolean).length;
  }
  return counted;
}
