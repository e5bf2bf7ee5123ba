import type { HeaderList } from "../http/answer.ts";
import type { Context } from "./context.ts";
import { after, numericDate } from "./context.ts";
import { randomId, randomSecret } from "./random.ts";
import type { Session } from "./rows.ts";
import type { User } from "./rows.ts";
import { findUser } from "./users.ts";

const cookie = "session";

/** Who is signed in with this browser. */
export interface SignedIn {
  session: Session;
  user: User;
}

export async function findSession(ctx: Context, request: Request): Promise<SignedIn | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  const entry = secret && await ctx.records.sessions.get(secret);
  const user = entry && await findUser(ctx, entry.value.userName);
  return user ? { session: entry.value, user } : undefined;
}

/** Opens a session under a new secret, so that one planted in a browser before sign-in is worth nothing. */
export async function openSession(ctx: Context, request: Request, user: User): Promise<{ session: Session; headers: HeaderList }> {
  const before = await forgetSession(ctx, request);
  const secret = randomSecret();
  const session: Session = {
    sid: before?.userName === user.name ? before.sid : randomId(),
    userName: user.name,
    authTime: numericDate(ctx),
  };
  await ctx.records.sessions.put(secret, session, after(ctx, ctx.config.lifetimes.session));
  ctx.emit({ type: "sign_in.succeeded", user: user.name, sid: session.sid });
  return { session, headers: [ctx.cookies.write(cookie, secret)] };
}

/** Signs a person out: everything that was not meant to outlive the session ends with it. */
export async function endSession(ctx: Context, request: Request): Promise<HeaderList> {
  const session = await forgetSession(ctx, request);
  if (session) {
    await ctx.records.endedSessions.put(
      session.sid,
      null,
      after(ctx, ctx.config.lifetimes.refreshToken + ctx.config.lifetimes.accessToken),
    );
    ctx.emit({ type: "session.ended", sid: session.sid });
  }
  return [ctx.cookies.clear(cookie)];
}

/** Forgets the session of a browser, and says which it was. */
async function forgetSession(ctx: Context, request: Request): Promise<Session | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  const entry = secret ? await ctx.records.sessions.get(secret) : undefined;
  if (secret) await ctx.records.sessions.delete(secret);
  return entry?.value;
}
