import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import { memoize, remember } from "../../util/values/memoize.ts";
import { type Context, serverPart } from "../context.ts";
import { randomId } from "../random.ts";
import { createLastingRow } from "../records/lasting_row.ts";
import { idPrefix, joinId, splitId } from "../records/row_id.ts";
import type { Authorization } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";

// The id of an authorization begins with its client and its user, so that one row leads from a user
// to all that they allowed a client, and none from a client. Different ones may begin alike.
const clientLength = 6;
const userLength = 8;

/**
 * For how long a row leads from a user to a client, at least, in milliseconds: an authorization that
 * ends soon, or that is given once lifetimes are shorter, must not hide earlier ones.
 */
const leadsFor = 365 * day * 1000;

/** How many clients, and users at clients, a process remembers: an HMAC costs 7 to 13 µs. */
const maxRemembered = 1000;

const hashOfClient = memoize(sha256, maxRemembered);

const leadingRow = serverPart((ctx) => createLastingRow(ctx.records.userAuthorizations));

const prefixesOfPairs = serverPart(() => new Map<string, string>());

/**
 * Makes the id of an authorization. Each `jti` begins with it: only this server can compute its part
 * about the user, which is another one at each client (OpenID Connect Core, section 8.1).
 */
export async function newAuthorizationId(
  ctx: Context,
  clientId: string,
  subject: string,
): Promise<string> {
  return await pairPrefix(ctx, clientId, subject) + randomId(ctx);
}

/** Returns the call that leads from a user to each authorization of a client. */
export async function leadingCall(
  ctx: Context,
  { userSubject, clientId }: Authorization,
  end: number,
): Promise<TableCall<unknown>> {
  const until = Math.max(end, ctx.now() + leadsFor);
  return await leadingRow(ctx)(idPrefix(userSubject, clientId), { since: ctx.now() }, until);
}

/** Yields what a user has allowed clients, or one of them. */
export async function* authorizationsOfUser(
  ctx: Context,
  subject: string,
  onlyClient?: string,
): AsyncGenerator<Authorization> {
  const { authorizations, userAuthorizations } = ctx.records;
  if (onlyClient !== undefined) yield* authorizationsOfPair(ctx, onlyClient, subject);
  // Of one client, only the rows of earlier versions come after the prefix.
  const prefix = onlyClient === undefined ? idPrefix(subject) : idPrefix(subject, onlyClient);
  for await (const [rowId] of userAuthorizations.each(prefix)) {
    const [, clientId = "", id = ""] = splitId(rowId);
    if (id === "") {
      yield* authorizationsOfPair(ctx, clientId, subject);
    } else if (!id.startsWith(await pairPrefix(ctx, clientId, subject))) {
      const authorization = await authorizations.find(id);
      if (authorization) yield authorization;
    }
  }
}

/** Deletes what leads from a user to authorizations, once the user can get no others. */
export async function deleteLeadingRows(
  { records: { userAuthorizations } }: Context,
  subject: string,
): Promise<void> {
  for await (const [rowId] of userAuthorizations.each(idPrefix(subject))) {
    await userAuthorizations.delete(rowId);
  }
}

/** Yields what users have allowed a client, without what they allowed it in an earlier version. */
export async function* authorizationsOfClient(
  ctx: Context,
  clientId: string,
): AsyncGenerator<Authorization[]> {
  for await (const page of ctx.records.authorizations.pages(await clientPrefix(clientId))) {
    yield page.map(([, each]) => each).filter((each) => each.clientId === clientId);
  }
}

async function* authorizationsOfPair(
  ctx: Context,
  clientId: string,
  subject: string,
): AsyncGenerator<Authorization> {
  const prefix = await pairPrefix(ctx, clientId, subject);
  for await (const [, each] of ctx.records.authorizations.each(prefix)) {
    if (each.clientId === clientId && each.userSubject === subject) yield each;
  }
}

async function clientPrefix(clientId: string): Promise<string> {
  return (await hashOfClient(clientId)).slice(0, clientLength);
}

async function pairPrefix(ctx: Context, clientId: string, subject: string): Promise<string> {
  const [known, pair] = [prefixesOfPairs(ctx), joinId(clientId, subject)];
  const prefix = known.get(pair);
  if (prefix !== undefined) return prefix;
  const user = await ctx.keys.derive("authorization", pair);
  const made = await clientPrefix(clientId) + user.slice(0, userLength);
  return remember(known, pair, made, maxRemembered);
}
