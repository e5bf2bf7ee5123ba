import { type ActiveFeatures, featuresOf } from "../../issuer/active_features.ts";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { createBudget, takeAll } from "../../issuer/limits/budget.ts";
import type { LoggedDetails, Remedy } from "../../protocol/oauth_error.ts";

/** The longest text from outside that is logged, in characters. */
const maxLength = 200;

/** Text that may be a credential: long, and long enough not to be a word if it looks random. */
const suspicious = /[\w.~+=%-]{16,}/g;
/** A part of a text this long is neither a word nor a name, so it may be a credential. */
const maxWordLength = 32;
const looksRandom = /\d|[a-z][^/]*[A-Z]|[A-Z][^/]*[a-z]/;

/**
 * How many refusals are described a minute, of one sender and of all. Without authentication, a
 * stranger decides what came.
 */
const describedRefusals = serverPart(({ now }) => ({
  ofSender: createBudget(now, 30),
  ofAll: createBudget(now, 300),
}));

/** Describes for the log why a request was refused. */
export function describeForLog(
  ctx: RequestContext,
  { came, expected, remedy }: LoggedDetails,
): LoggedDetails {
  if (came === undefined && !remedy) return {};
  if (!ctx.client && !mayDescribe(ctx)) return {};
  const { presented } = featuresOf(ctx);
  const shown = remedy && withKnownValue(ctx, remedy);
  return {
    ...came !== undefined && { came: readableText(came, presented) },
    ...expected !== undefined && { expected: readableText(expected, presented) },
    ...shown && { remedy: shown },
  };
}

/**
 * Makes a text from outside readable in a log: without queries, fragments and user information of
 * URIs, and with the length of what may be a credential.
 */
export function readableText(text: string, presented: ActiveFeatures["presented"]): string {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  const withoutSecrets = printable.replace(/\/\/[^\s/]*@/g, "//").replace(
    /([?#])[^\s']+/g,
    "$1...",
  );
  const hidden = presented.reduce((text, { hideIn }) => hideIn?.(text) ?? text, withoutSecrets);
  return hideRandomText(hidden).slice(0, maxLength);
}

function mayDescribe(ctx: RequestContext): boolean {
  const { ofSender, ofAll } = describedRefusals(ctx);
  return takeAll([() => ofSender.take(ctx.sender), () => ofAll.take("all")]) !== undefined;
}

/** What the server does not have can be allowed to no client. */
function withKnownValue({ settings }: RequestContext, remedy: Remedy): Remedy | undefined {
  const { setting, value } = remedy;
  if (setting === "scopes" && !settings.scopes.has(value ?? "")) return undefined;
  if (setting === "grantTypes" && !settings.grantTypes.includes(value ?? "")) return undefined;
  return remedy;
}

/** Replaces each part of a text that looks like a credential by its length. */
function hideRandomText(text: string): string {
  return text.replace(
    suspicious,
    (part) =>
      part.length >= maxWordLength || looksRandom.test(part) ? `[${part.length} characters]` : part,
  );
}
