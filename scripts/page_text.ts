import { unescapeHtml } from "../src/lab/util/html_forms.ts";

/** Tags that do not begin a new line. */
const inline = /<\/?(?:a|code|strong|em|span|kbd|wbr)\b[^>]*>/g;

/** The light of a page that follows the lab: a script turns it on. */
const connection = /<span class="connection"[\s\S]*?<\/span><\/span>/;

/**
 * A code, a token or another random value: 256 bits of base64url, a signed JWT, or bytes in
 * hexadecimal.
 */
const random = /eyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-f]{64}\b|[\w-]{43}/g;

/**
 * Returns the text of a page, one line per element. Random values become "…", so that the text of
 * two visits is the same.
 */
export function pageText(html: string): string {
  const text = html
    .replace(/<head>[\s\S]*?<\/head>/, "")
    .replace(/<(script|style|button)\b[\s\S]*?<\/\1>/g, "")
    .replace(connection, "")
    .replace(random, "…")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
  const lines = unescapeHtml(text).split("\n");
  return `${lines.map((line) => line.trim()).filter(Boolean).join("\n")}\n`;
}
