import type { RequestedPath } from "../../config/events.ts";
import type { RoutePattern } from "../../http/router.ts";
import type { ActiveFeatures } from "../../issuer/active_features.ts";

/** The methods of routes. On Deno, any token is a method, so another one may be a credential. */
const methods: readonly string[] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];

/** The longest part of an unknown path that is reported, in characters. */
const maxLength = 200;

/** Text that may be a credential: long, and long enough not to be a word if it looks random. */
const suspicious = /[\w.~+=%-]{16,}/g;
/** A part of a path this long is neither a word nor a name, so it may be a credential. */
const maxWordLength = 32;
const looksRandom = /\d|[a-z][^/]*[A-Z]|[A-Z][^/]*[a-z]/;

/**
 * Describes a request for its events. A known path is that of its route, because the path itself
 * may contain the id of an interaction. Codes of features and random-looking parts of any other are
 * left out: they may be credentials.
 */
export function describeRequested(
  sent: string,
  path: string | undefined,
  route: RoutePattern | undefined,
  { presented }: Pick<ActiveFeatures, "presented">,
): RequestedPath {
  const method = methods.includes(sent) ? sent : "other";
  if (route) return { method, path: route.path };
  return {
    method,
    path: "unknown",
    ...path !== undefined && { unknownPath: readable(path, presented) },
  };
}

function readable(path: string, presented: ActiveFeatures["presented"]): string {
  const printable = path.replace(/[^\x20-\x7e]/g, "?");
  const hidden = presented.reduce((text, { hideIn }) => hideIn?.(text) ?? text, printable);
  return hideRandomText(hidden).slice(0, maxLength);
}

/** Replaces each part of a text that looks like a credential by its length. */
function hideRandomText(text: string): string {
  return text.replace(
    suspicious,
    (part) =>
      part.length >= maxWordLength || looksRandom.test(part) ? `[${part.length} characters]` : part,
  );
}
