import type { HeaderList } from "../../http/response.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";
import { randomId, randomSecret } from "../random.ts";
import type { Session } from "../records/rows.ts";
import { after, numericDate } from "../time.ts";
import type { Authentication } from "../users/authenticate_user.ts";
import { rememberBrowser } from "../users/familiar_browsers.ts";
import { findUser } from "../users/users.ts";
import { notifyClients } from "./logout_deliveries.ts";
import { afterSession } from "./session_clients.ts";

const cookie = "session";

/** Who is signed in with a browser. */
export interface SignedInUser {
  session: Session;
  user: User;
}

export async function findSession(
  ctx: Context,
  request: Request,
): Promise<SignedInUser | undefined> {
  const session = await sessionOf(ctx, request);
  if (!session || await hasEnded(ctx, session)) return undefined;
  const user = await findUser(ctx, session.userName);
  return user && isOf(session, user) ? { session, user } : undefined;
}

/** Whether it is a session of this very user, begun since they were last signed out everywhere. */
function isOf(session: Session, user: User): boolean {
  return session.subject === user.subject && session.userEpoch === user.epoch;
}

/** Opens a session under a new secret: one that was planted in the browser before is worth nothing (session fixation). */
export async function startSession(
  ctx: Context,
  request: Request,
  { user, acr, amr }: Authentication,
): Promise<{ session: Session; headers: HeaderList }> {
  const before = await sessionOf(ctx, request);
  const isSame = before !== undefined && isOf(before, user) && !await hasEnded(ctx, before);
  if (before && !isSame) await voidSession(ctx, before);
  await forgetSession(ctx, request);
  const secret = randomSecret(ctx);
  const session: Session = {
    sid: isSame ? before.sid : randomId(ctx),
    userName: user.name,
    subject: user.subject,
    userEpoch: user.epoch,
    authTime: numericDate(ctx),
    acr,
    amr,
  };
  const familiar = await rememberBrowser(ctx, request, user);
  await ctx.records.sessions.put(secret, session, after(ctx, ctx.settings.lifetimes.session));
  ctx.emit({ type: "sign_in.succeeded", user: user.name, sid: session.sid });
  return { session, headers: [ctx.cookies.write(cookie, secret), ...familiar] };
}

/** Signs a person out: everything that was not meant to outlive the session ends with it. */
export async function endSession(
  ctx: Context,
  request: Request,
): Promise<{ session?: Session; headers: HeaderList }> {
  const session = await sessionOf(ctx, request);
  if (session) await voidSession(ctx, session);
  await forgetSession(ctx, request);
  return { session, headers: [ctx.cookies.clear(cookie)] };
}

/** Signs a user out wherever they signed in before their present epoch began. */
export async function endSessionsOf(ctx: Context, { name, epoch }: User): Promise<void> {
  for await (const [, session] of ctx.records.sessions.each()) {
    const isEarlier = epoch === undefined || session.userEpoch !== epoch;
    if (session.userName === name && isEarlier && !await hasEnded(ctx, session)) {
      await voidSession(ctx, session);
    }
  }
}

async function hasEnded(ctx: Context, { sid }: Session): Promise<boolean> {
  return await ctx.records.endedSessions.get(sid) !== undefined;
}

/** Ends what was issued in a session, as long as any of it may live, and tells the clients. */
async function voidSession(ctx: Context, { sid }: Session): Promise<void> {
  await ctx.records.endedSessions.put(sid, null, afterSession(ctx));
  await notifyClients(ctx, sid);
  ctx.emit({ type: "session.ended", sid });
}

async function sessionOf(ctx: Context, request: Request): Promise<Session | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  return secret ? await ctx.records.sessions.find(secret) : undefined;
}

/** Comes last: as long as the session is there, a sign-out that the store cut short can be tried again. */
async function forgetSession(ctx: Context, request: Request): Promise<void> {
  const secret = ctx.cookies.read(request, cookie);
  if (secret) await ctx.records.sessions.delete(secret);
}
