import type { HeaderList } from "../../http/response.ts";
import type { User } from "../../model/user.ts";
import { day } from "../../util/duration.ts";
import { sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import { fromNow } from "../time.ts";

const cookie = "familiar";
const lifetime = 90 * day;
/** How many users may share a browser. */
const maxSubjects = 5;

/**
 * A browser in which users have signed in before. Guesses from elsewhere cannot lock them out there
 * (OWASP: "device cookies").
 */
export interface FamiliarBrowser {
  /** SHA-256 of its cookie. */
  hash: string;
  /** The subjects of those who signed in, the latest first. */
  subjects: string[];
}

/** Finds the familiar browser that a request comes from. */
export async function findFamiliarBrowser(
  ctx: Context,
  request: Request,
): Promise<FamiliarBrowser | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  if (secret === undefined) return undefined;
  const row = await ctx.records.familiarBrowsers.find(secret);
  return row && { hash: await sha256(secret), subjects: row.subjects };
}

/**
 * Remembers that a user has just signed in with a browser. The cookie gets a new secret: an
 * attacker who wants to guess as if from this browser may have planted the old one.
 */
export async function rememberBrowser(
  ctx: Context,
  request: Request,
  { subject }: User,
): Promise<HeaderList> {
  const { familiarBrowsers } = ctx.records;
  const oldSecret = ctx.cookies.read(request, cookie);
  const row = oldSecret === undefined ? undefined : await familiarBrowsers.get(oldSecret);
  const isRecent = row !== undefined && row.expiresAt - ctx.now() > lifetime * 1000 / 2;
  if (isRecent && row.value.subjects.includes(subject)) return [];
  const others = row?.value.subjects.filter((each) => each !== subject) ?? [];
  const subjects = [subject, ...others].slice(0, maxSubjects);
  const secret = randomSecret(ctx);
  await familiarBrowsers.put(secret, { subjects }, fromNow(ctx, lifetime));
  if (row && oldSecret !== undefined) await familiarBrowsers.delete(oldSecret);
  return [ctx.cookies.write(cookie, secret, lifetime)];
}
