import type { HeaderList } from "../../http/response.ts";
import type { User } from "../../model/user.ts";
import { day } from "../../util/duration.ts";
import { sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import { after } from "../time.ts";

const cookie = "familiar";
const lifetime = 90 * day;
/** People who share a browser. */
const maxSubjects = 5;

/**
 * A browser in which people have signed in before. Guesses from elsewhere cannot lock them out there
 * (OWASP: "device cookies").
 */
export interface FamiliarBrowser {
  /** SHA-256 of its cookie. */
  hash: string;
  /** The subjects of those who signed in, the latest first. */
  subjects: string[];
}

/** Finds what is known of the browser that a request comes from. */
export async function findFamiliarBrowser(
  ctx: Context,
  request: Request,
): Promise<FamiliarBrowser | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  const known = secret === undefined ? undefined : await ctx.records.familiarBrowsers.find(secret);
  return known && { hash: await sha256(secret!), subjects: known.subjects };
}

/**
 * Makes a browser familiar with a user who has just signed in. The cookie gets a new secret: the old
 * one may have been planted by someone who wants to guess as if from this browser.
 */
export async function rememberBrowser(
  ctx: Context,
  request: Request,
  { subject }: User,
): Promise<HeaderList> {
  const before = ctx.cookies.read(request, cookie);
  const row = before === undefined ? undefined : await ctx.records.familiarBrowsers.get(before);
  const isYoung = row !== undefined && row.expiresAt - ctx.now() > lifetime * 500;
  if (isYoung && row.value.subjects.includes(subject)) return [];
  const others = row?.value.subjects.filter((each) => each !== subject) ?? [];
  const subjects = [subject, ...others].slice(0, maxSubjects);
  const secret = randomSecret(ctx);
  await ctx.records.familiarBrowsers.put(secret, { subjects }, after(ctx, lifetime));
  if (row) await ctx.records.familiarBrowsers.delete(before!);
  return [ctx.cookies.write(cookie, secret, lifetime)];
}
