import type { HeaderList } from "../../http/response_data.ts";
import { readUserAgent } from "../../http/user_agent.ts";
import type { User } from "../../model/user.ts";
import type { Row } from "../../store/store.ts";
import { featuresOf, type SignedInUser } from "../active_features.ts";
import type { Context, RequestContext } from "../context.ts";
import { randomId, randomSecret } from "../random.ts";
import { idPrefix, joinId } from "../records/row_id.ts";
import type { Consent, Session } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { fromNow, lastSessionExpiration, numericDate } from "../time.ts";
import { rememberFamiliarBrowser } from "../users/familiar_browsers.ts";
import { type Authentication, isSufficientFor } from "../users/sign_in_factor.ts";
import { findUser, isOfCurrentEpoch } from "../users/users.ts";

const cookie = "session";

/** A sign-in without a page. */
export interface UnaskedAuthentication extends Authentication {
  /** The session in which the user signs in again. */
  sid: string | undefined;
}

/** A session, and the headers that set its cookie. */
export interface StartedSession {
  session: Session;
  headers: HeaderList;
}

/**
 * Finds the session of a browser, if it is active, and lists together with its end what its user has
 * allowed.
 */
export async function findSession(
  ctx: RequestContext,
  listConsents?: (subject: string) => TableCall<Consent[]>,
): Promise<SignedInUser | undefined> {
  const session = await readSession(ctx);
  if (!session) return undefined;
  const consentsOf = listConsents ? [listConsents(session.subject)] : [];
  const [user, [end, consents]] = await Promise.all([
    findUser(ctx, session.userName),
    ctx.records.batch(ctx.records.endedSessions.calls.get(session.sid), ...consentsOf),
  ]);
  return user && !end && belongsTo(session, user) ? { session, user, consents } : undefined;
}

/** Finds the session of a browser, if its user may act in it: by passkey, where that is demanded. */
export async function findSufficientSession(
  ctx: RequestContext,
): Promise<SignedInUser | undefined> {
  const signedIn = await findSession(ctx);
  return signedIn && isSufficientFor(ctx, signedIn.user, signedIn.session) ? signedIn : undefined;
}

/**
 * Starts a session under a new secret, so that one planted in the browser is useless (session
 * fixation). All that the old secret can do is sign out: another tab may send it at this moment.
 */
export async function startSession(
  ctx: RequestContext,
  authentication: Authentication,
): Promise<StartedSession> {
  const { user } = authentication;
  const previous = await readSession(ctx);
  const isSame = previous !== undefined && await isActive(ctx, previous, user);
  if (previous && !isSame) await markSessionEnded(ctx, previous);
  await replaceSession(ctx);
  const secret = randomSecret(ctx);
  const session = newSession(ctx, authentication, isSame ? previous.sid : randomId(ctx));
  const browserHeaders = await rememberFamiliarBrowser(ctx, user);
  await storeSession(ctx, secret, session);
  ctx.emit({ type: "sign_in.succeeded", user: user.name, sid: session.sid });
  return { session, headers: [ctx.cookies.write(cookie, secret), ...browserHeaders] };
}

/** Starts the session of a user who saw no page. It is the same one in each such browser. */
export async function startUnaskedSession(
  ctx: RequestContext,
  { sid = randomId(ctx), ...authentication }: UnaskedAuthentication,
): Promise<SignedInUser> {
  const { user } = authentication;
  const session = newSession(ctx, authentication, sid);
  const secret = ctx.hooks.unasked?.sessions.get(user.name) ?? randomSecret(ctx);
  await storeSession(ctx, secret, session);
  ctx.hooks.unasked?.sessions.set(user.name, secret);
  ctx.emit({ type: "sign_in.succeeded", user: user.name, sid, unasked: true });
  return { session, user, unasked: true };
}

/** Finds the session of a user who saw no page, if it is active. */
export async function findUnaskedSession(
  ctx: Context,
  user: User,
): Promise<SignedInUser | undefined> {
  const secret = ctx.hooks.unasked?.sessions.get(user.name);
  const session = secret && await ctx.records.sessions.find(secret);
  return session && await isActive(ctx, session, user)
    ? { session, user, unasked: true }
    : undefined;
}

function newSession(
  ctx: RequestContext,
  { user, acr, amr, factor, authTime = numericDate(ctx) }: Authentication,
  sid: string,
): Session {
  return {
    sid,
    userName: user.name,
    subject: user.subject,
    userEpoch: user.epoch,
    authTime,
    acr,
    amr,
    factor,
    userAgent: readUserAgent(ctx.request.headers),
  };
}

/**
 * Signs a user out, of the session of the browser or of one without a cookie. Everything that was
 * not meant to outlive the session ends with it.
 */
export async function endSession(
  ctx: RequestContext,
  signedIn?: SignedInUser,
): Promise<{ session: Session | undefined; headers: HeaderList }> {
  if (signedIn?.unasked) {
    await markSessionEnded(ctx, signedIn.session);
    ctx.hooks.unasked?.sessions.delete(signedIn.user.name);
    return { session: signedIn.session, headers: [] };
  }
  const session = (await readSessionRow(ctx))?.value;
  if (session) await markSessionEnded(ctx, session);
  await deleteSession(ctx);
  return { session, headers: [ctx.cookies.clear(cookie)] };
}

/** Ends every session that a user started before their current epoch began. */
export async function endSessionsOf(ctx: Context, user: User): Promise<void> {
  for await (const [, session] of ctx.records.userSessions.each(idPrefix(user.subject))) {
    const isEarlier = user.epoch === undefined || !isOfCurrentEpoch(user, session);
    if (session.userName === user.name && isEarlier && !await hasSessionEnded(ctx, session)) {
      await markSessionEnded(ctx, session);
    }
  }
}

/** Whether a session is this very user's, of their current epoch, and has not ended. */
async function isActive(ctx: Context, session: Session, user: User): Promise<boolean> {
  return belongsTo(session, user) && !await hasSessionEnded(ctx, session);
}

/** Whether a session belongs to this very user and their current epoch. */
export function belongsTo(session: Session, user: User): boolean {
  return session.subject === user.subject && isOfCurrentEpoch(user, session);
}

/** Whether a session was ended before its time. */
export async function hasSessionEnded(ctx: Context, { sid }: Session): Promise<boolean> {
  return await ctx.records.endedSessions.get(sid) !== undefined;
}

/**
 * Ends what was issued in a session, for as long as any of it could live, and notifies the clients.
 */
export async function markSessionEnded(ctx: Context, { sid, subject }: Session): Promise<void> {
  await ctx.records.endedSessions.put(sid, null, lastSessionExpiration(ctx));
  await notifyOfEnd(ctx, sid);
  await ctx.records.userSessions.delete(joinId(subject, sid));
  ctx.emit({ type: "session.ended", sid });
}

/** One feature that fails does not keep the clients of another from being notified. */
async function notifyOfEnd(ctx: Context, sid: string): Promise<void> {
  const calls = featuresOf(ctx).sessionEnds.map(async ({ notify }) => await notify?.(ctx, sid));
  const failed = (await Promise.allSettled(calls)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function readSession(ctx: RequestContext): Promise<Session | undefined> {
  const row = await readSessionRow(ctx);
  return row?.usedAt === undefined ? row?.value : undefined;
}

/** Reads the row of a session. It is used once the secret was replaced by another one. */
async function readSessionRow(ctx: RequestContext): Promise<Row<Session> | undefined> {
  const secret = ctx.cookies.read(ctx.request.headers, cookie);
  return secret ? await ctx.records.sessions.get(secret) : undefined;
}

async function replaceSession(ctx: RequestContext): Promise<void> {
  const secret = ctx.cookies.read(ctx.request.headers, cookie);
  if (secret) {
    await ctx.records.sessions.consume(secret, fromNow(ctx, ctx.settings.lifetimes.session));
  }
}

async function storeSession(ctx: Context, secret: string, session: Session): Promise<void> {
  const { sessions, userSessions } = ctx.records;
  const expiresAt = fromNow(ctx, ctx.settings.lifetimes.session);
  await Promise.all([
    sessions.put(secret, session, expiresAt),
    userSessions.put(joinId(session.subject, session.sid), session, expiresAt),
  ]);
}

/** Comes last: while the row exists, a sign-out that the store interrupted can be repeated. */
async function deleteSession(ctx: RequestContext): Promise<void> {
  const secret = ctx.cookies.read(ctx.request.headers, cookie);
  if (secret) await ctx.records.sessions.delete(secret);
}
