import * as authorizations from "../../../administration/authorizations.ts";
import * as sessions from "../../../administration/sessions.ts";
import { findActiveAuthorization } from "../../../server/issuer/authorizations/active_authorization.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { listUsers } from "../../../server/issuer/directory/directory_entries.ts";
import { AdminError } from "../../../server/issuer/records/lock.ts";
import type { Authorization } from "../../../server/issuer/records/rows.ts";
import { lastTokenExpiration } from "../../../server/issuer/time.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";

/** What a test can do with the sessions of users. */
export interface SessionTools {
  /**
   * Returns where users are signed in, and what they allowed clients there, the newest first:
   * `const [session] = await lab.sessions({ user: "alice" }); await session?.end();`. Tokens
   * without a session are in the list as well.
   *
   * @throws {LabError} There is no such user.
   */
  sessions(filter?: SessionFilter): Promise<LabSession[]>;
}

/** Selects sessions. */
export interface SessionFilter {
  /**
   * The name of the user.
   *
   * @default every user
   */
  user?: string | undefined;
}

/** A session of a user, and the tokens that were issued in it. */
export interface LabSession extends ListedSession {
  /** The tokens that were issued in it. */
  readonly tokens: SessionTokens[];
  /**
   * Ends the session, as if the user had signed out: its clients get their logout tokens, which
   * have arrived by then. Tokens with `offline_access` outlive it.
   *
   * @throws {LabError} The session is over.
   */
  end(): Promise<void>;
}

/** What a client got in a session. */
export interface SessionTokens extends ListedTokens {
  /**
   * Revokes the tokens, and what can be redeemed for others.
   *
   * @throws {LabError} They were revoked, or are over.
   */
  end(): Promise<void>;
}

/** A session, as data. */
export interface ListedSession {
  /** The `sid`. Undefined for tokens that were issued without a session. */
  sid?: string | undefined;
  /** The name of the user. */
  user: string;
  /** Whether the user is signed in. */
  active: boolean;
  /** When the user signed in: `"2030-01-01T00:00:00.000Z"`. */
  authTime?: string | undefined;
  /** How strong the sign-in was. */
  acr?: string | undefined;
  /** The methods that were used (RFC 8176). */
  amr?: string[] | undefined;
  /** The clients that take part in the session, and may be notified of its end. */
  clients: string[];
  /** What is still active of what was issued in it. */
  tokens: ListedTokens[];
}

/** The tokens of a client, as data. */
export interface ListedTokens {
  /** The id, for DELETE /sessions/{id}. */
  id: string;
  /** The id of the client. */
  client: string;
  /** The scope that the user allowed. */
  scope: string;
  /** By when the last of them has expired. */
  until: string;
  /** The flow in which they were issued, if that is still recorded: `"flow-1"`. */
  flow?: string | undefined;
}

/** How a user signed in, as a session and an authorization have it. */
type SignInFacts = Pick<Authorization, "sid" | "userName" | "authTime" | "acr" | "amr">;

/** Lists sessions with what was issued in them, the newest first. */
export async function listSessions(lab: CoreLab, { user }: SessionFilter): Promise<LabSession[]> {
  const { context: ctx } = lab;
  await checkUser(ctx, user);
  const active = await activeSessions(ctx, user);
  const allowed = await activeAuthorizations(ctx, user);
  const facts = new Map<string, SignInFacts>();
  for (const each of [...active.map(({ session }) => session), ...allowed]) {
    if (!facts.has(keyOf(each))) facts.set(keyOf(each), each);
  }
  const listed = [...facts].map(([key, each]): LabSession => {
    const entry = active.find(({ session }) => session.sid === each.sid);
    const tokens = allowed.filter((authorization) => keyOf(authorization) === key);
    const { sid, userName, authTime, acr, amr } = each;
    return {
      ...sid !== undefined && { sid },
      user: userName,
      ...authTime !== undefined && { authTime: new Date(authTime * 1000).toISOString() },
      ...acr !== undefined && { acr },
      ...amr !== undefined && { amr },
      active: entry !== undefined,
      clients: entry?.clientIds ?? [],
      tokens: tokens.map((authorization) => tokensOf(lab, authorization)),
      end: () => endSessionOrTokens(ctx, each.sid ?? ""),
    };
  });
  return listed.sort((one, other) => (other.authTime ?? "").localeCompare(one.authTime ?? ""));
}

/** Ends a session by its `sid`, or what a client got by the id of it. */
export async function endSessionOrTokens(ctx: Context, id: string): Promise<void> {
  const isSession = (await activeSessions(ctx)).some(({ session }) => session.sid === id);
  try {
    await (isSession ? sessions.end(ctx, id) : authorizations.remove(ctx, id));
  } catch (cause) {
    if (!(cause instanceof AdminError)) throw cause;
    throw new LabError(`There is no active session with the id '${id}', and no tokens.`);
  }
  await ctx.background.idle();
}

/** Ends all sessions of a user, or of all users, with all tokens. */
export async function endSessions(lab: SessionTools, user: string | undefined): Promise<void> {
  for (const each of await lab.sessions({ user })) if (each.active) await each.end();
  for (const { tokens } of await lab.sessions({ user })) {
    for (const each of tokens) await each.end();
  }
}

async function checkUser(ctx: Context, user: string | undefined): Promise<void> {
  if (user === undefined) return;
  const names = (await listUsers(ctx)).map(({ value }) => value.name);
  if (!names.includes(user)) throw unknownName("user", user, names);
}

async function activeSessions(ctx: Context, user?: string): Promise<sessions.SessionEntry[]> {
  const active: sessions.SessionEntry[] = [];
  for await (const entry of sessions.list(ctx, user)) active.push(entry);
  return active;
}

async function activeAuthorizations(
  ctx: Context,
  user: string | undefined,
): Promise<Authorization[]> {
  const active: Authorization[] = [];
  for await (const each of authorizations.list(ctx)) {
    if (user !== undefined && each.userName !== user) continue;
    if (await findActiveAuthorization(ctx, { authorization: each.id })) active.push(each);
  }
  return active;
}

/** Returns what sessions are told apart by: tokens without one belong to their user. */
function keyOf({ sid, userName }: SignInFacts): string {
  return JSON.stringify([sid, userName]);
}

function tokensOf(lab: CoreLab, authorization: Authorization): SessionTokens {
  const { context: ctx } = lab;
  const { id, clientId, scope } = authorization;
  const flow = flowOf(lab, id);
  return {
    id,
    client: clientId,
    scope: scope.join(" "),
    until: new Date(lastTokenExpiration(ctx, authorization)).toISOString(),
    ...flow !== undefined && { flow },
    end: () => endSessionOrTokens(ctx, id),
  };
}

/** Finds the flow with the request that issued the first of what comes from an authorization. */
function flowOf(lab: CoreLab, authorization: string): string | undefined {
  const issuing = lab.exchanges().find(({ events }) =>
    events.some((event) => "authorization" in event && event.authorization === authorization)
  );
  if (!issuing) return undefined;
  return lab.flows().find(({ steps }) => steps.some(({ exchange }) => exchange === issuing.id))?.id;
}
