import type { HeaderList } from "../../http/response_data.ts";
import type { User } from "../../model/user.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import type { Context, RequestContext } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { FamiliarBrowserRow } from "../records/rows.ts";
import { fromNow } from "../time.ts";

const cookieName = "familiar";

/** In seconds. The cookie is renewed at the first sign-in in the second half of its lifetime. */
const cookieLifetime = 90 * day;
const maxUsersPerBrowser = 5;

/**
 * A browser in which users have signed in before. Failed guesses from other browsers do not lock
 * these users out in this one (OWASP Authentication Cheat Sheet, "Device Cookies").
 */
export interface FamiliarBrowser {
  /** The SHA-256 hash of its cookie's value. */
  hash: string;
  /** The users who have signed in with this browser, the most recent first. */
  subjects: string[];
}

export async function findFamiliarBrowser(
  ctx: RequestContext,
): Promise<FamiliarBrowser | undefined> {
  const secret = ctx.cookies.read(ctx.request.headers, cookieName);
  if (secret === undefined) return undefined;
  const row = await ctx.records.familiarBrowsers.find(secret);
  if (!row) return undefined;
  return { hash: await sha256(secret), subjects: row.subjects };
}

/**
 * Remembers that a user has just signed in with a browser. Returns the headers that set its cookie,
 * or none if the browser can keep the cookie that it has.
 */
export async function rememberFamiliarBrowser(
  ctx: RequestContext,
  user: User,
): Promise<HeaderList> {
  const subject = familiarSubject(user);
  const { familiarBrowsers } = ctx.records;
  const oldSecret = ctx.cookies.read(ctx.request.headers, cookieName);
  if (oldSecret === undefined) return await createCookie(ctx, [subject]);

  const oldRow = await familiarBrowsers.get(oldSecret);
  if (!oldRow) return await createCookie(ctx, [subject]);

  const timeLeft = oldRow.expiresAt - ctx.now();
  const needsRenewal = timeLeft <= cookieLifetime * 1000 / 2;
  const isLatestUser = oldRow.value.subjects[0] === subject;
  if (isLatestUser && !needsRenewal) return [];

  // The value is replaced whenever the list changes: an attacker may have planted a cookie with a
  // known value, and must not become familiar by the sign-in of its victim.
  const otherSubjects = oldRow.value.subjects.filter((other) => other !== subject);
  const headers = await createCookie(ctx, [subject, ...otherSubjects]);
  await familiarBrowsers.delete(oldSecret);
  return headers;
}

/** Returns by what browsers know a user. After a forgotten password, no browser knows the user. */
export function familiarSubject({ subject, familiarSince }: User): string {
  return familiarSince === undefined ? subject : `${subject} ${familiarSince}`;
}

/** Stores a familiar browser and returns the header that sets its cookie. */
async function createCookie(ctx: Context, subjects: string[]): Promise<HeaderList> {
  const secret = randomSecret(ctx);
  const row: FamiliarBrowserRow = { subjects: subjects.slice(0, maxUsersPerBrowser) };
  await ctx.records.familiarBrowsers.put(secret, row, fromNow(ctx, cookieLifetime));
  return [ctx.cookies.write(cookieName, secret, cookieLifetime)];
}
