import { redacted, redactText } from "./redact_text.ts";
import { secretNames } from "./secret_names.ts";

/** A name before a value in a text of any form: `name=value`, `name: 'value'`. */
const afterName = `["']?\\s*[:=]\\s*["']?(?:(?:Bearer|Basic|DPoP)\\s+)?`;
const value = `[^\\s"'&,;)}]`;
const namedSecret = new RegExp(
  `((?:password|secret|cookie|authorization|dpop|private_key|api_?key)${afterName})${value}+`,
  "gi",
);
/** Shorter values are none of the lab, and `code: 1` is how a program ended. */
const namedToken = new RegExp(`((?:${secretNames.join("|")})${afterName})${value}{8,}`, "gi");
const schemeAndSecret = /\b(Bearer|Basic|DPoP)\s+[^\s"',;]{6,}/g;
const jwt = /\beyJ[\w-]+(?:\.[\w-]*)*/g;
const longText = /[\w-]{32,}/g;

/** Removes what looks like a credential from the output of a program. */
export function redactOutput(text: string): string {
  return redactText(text)
    .replace(jwt, redacted)
    .replace(namedSecret, `$1${redacted}`)
    .replace(namedToken, `$1${redacted}`)
    .replace(schemeAndSecret, `$1 ${redacted}`)
    .replace(longText, (found) => isRandom(found) ? redacted : found);
}

/** Whether a long text of letters and digits looks random. */
function isRandom(text: string): boolean {
  return [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text));
}
