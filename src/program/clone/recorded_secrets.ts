import { isObject } from "../../server/util/text/json.ts";

/** A longer text is a page or a script. */
const maxTextLength = 200_000;

/** A shorter value may be part of any word. */
const minLength = 8;

/** Parameters and members whose values are words of the specifications, or public. */
const publicNames: readonly string[] = [
  ...["response_type", "response_mode", "grant_type", "code_challenge_method", "prompt", "scope"],
  ...["token_type", "display", "name", "mimeType", "method", "httpVersion", "statusText", "url"],
  ...["startedDateTime", "redirectURL", "version", "comment", "encoding"],
];

/**
 * Returns the values of a recording that may be secrets: of parameters, cookies, headers, and of
 * members of JSON. What a preset holds must contain none of them.
 */
export function recordedSecrets(har: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const secrets = new Set<string>();
  collect(isObject(har.log) ? har.log.entries : undefined, "", secrets);
  return secrets;
}

function collect(value: unknown, name: string, secrets: Set<string>): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, name, secrets);
  } else if (isObject(value)) {
    // A parameter of a HAR is { name, value }.
    const pairName = typeof value.name === "string" ? value.name : undefined;
    for (const [member, each] of Object.entries(value)) {
      collect(each, member === "value" ? pairName ?? member : member, secrets);
    }
  } else if (typeof value === "string" && !publicNames.includes(name)) {
    if (value.length > maxTextLength) return;
    for (const part of partsOf(value).filter(looksLikeSecret)) secrets.add(part);
  }
}

/** A text may be a URL, a form, a header or JSON, each part of which may be a secret. */
function partsOf(text: string): string[] {
  return text.split(/[\s&=?#;,"'{}()[\]:/<>%]+/);
}

/** Letters alone are words, and digits alone are times. */
function looksLikeSecret(part: string): boolean {
  return part.length >= minLength && /\d/.test(part) && /[A-Za-z]/.test(part);
}
