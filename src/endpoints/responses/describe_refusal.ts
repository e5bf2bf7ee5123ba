import { type SentTexts, sentTexts } from "../../http/sent_texts.ts";
import type { Context } from "../../issuer/context.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import { hideRandomText, hideValue } from "../../util/hide_text.ts";
import { nearestName } from "../../util/nearest_name.ts";

/** Shorter texts are words and numbers, and no credentials. */
const minLength = 6;
/** Longer texts are not compared with the words of the server. */
const maxWordLength = 40;
const maxWords = 200;
/** Words of requests that are neither ids of clients nor scopes or grant types. */
const protocolWords = ["S256", "plain", "query", "fragment", "form_post", "RS256", "ES256"];

/** Why a request was refused, for an event. */
export interface DescribedRefusal {
  description: string;
  see?: string;
  hint?: string;
}

/**
 * Describes an error for an event. A message may repeat what the client sent, and a client may have
 * sent a credential in the wrong parameter. So a value is replaced by its length, unless it is a
 * word of this server or nearly one. Of a URL, the query is replaced.
 */
export async function describeRefusal(
  ctx: Context,
  request: Request,
  { message, see, hint }: OAuthError,
): Promise<DescribedRefusal> {
  // A lab shows its developers everything.
  const hide = ctx.settings.hints ? (text: string) => text : await createHiding(ctx, request);
  return { description: hide(message), ...see && { see }, ...hint && { hint: hide(hint) } };
}

async function createHiding(ctx: Context, request: Request): Promise<(text: string) => string> {
  const { names, values } = await sentTexts(request);
  const words = wordsOf(ctx, names);
  const repeated = [...values].filter((value) => value.length >= minLength);
  return (text) => hideQuoted(text, repeated, words);
}

/** Replaces values where a message repeats them in quotes, whole or cut anywhere. */
function hideQuoted(text: string, values: readonly string[], words: readonly string[]): string {
  // A message quotes little, but a request may have thousands of values that begin with that.
  const valueOf = new Map<string, string>();
  for (const value of values) {
    for (const form of quotedBeginnings(text, value)) {
      if (!valueOf.has(form)) valueOf.set(form, value);
    }
  }
  const hidden = [...valueOf].filter(([form]) => !isFamiliar(form, words));
  return hidden.reduce(
    (shown, [form, value]) => shown.replaceAll(`'${form}'`, `'${shorten(value)}'`),
    text,
  );
}

/** Returns the beginnings of a value that a text has in quotes. */
function quotedBeginnings(text: string, value: string): string[] {
  const start = `'${value.slice(0, minLength)}`;
  if (!text.includes(start)) return [];
  const rests = text.split(start).slice(1).map((rest) => value.slice(0, minLength) + rest);
  const beginnings = rests.map((rest) => value.slice(0, sharedLength(rest, value)));
  return beginnings.filter((beginning) => text.includes(`'${beginning}'`));
}

/** Returns how many characters two texts begin with in common. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function isFamiliar(value: string, words: readonly string[]): boolean {
  return value.length <= maxWordLength && nearestName(value, words) !== undefined;
}

function wordsOf({ settings }: Context, names: SentTexts["names"]): string[] {
  const { clients, scopes, grantTypes } = settings;
  const plainNames = [...names].filter((name) => /^[a-z_]{1,40}$/.test(name));
  const words = [...protocolWords, ...plainNames, ...grantTypes, ...scopes.keys()];
  return [...words, ...clients.keys()].slice(0, maxWords);
}

function shorten(value: string): string {
  if (!URL.canParse(value) || !value.includes("://")) return hideValue(value);
  const [, address = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(value) ?? [];
  if (address.includes("@")) return hideValue(value);
  return `${hideRandomText(address)}${rest && hideValue(rest)}`;
}
