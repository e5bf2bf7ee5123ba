/** Writes a table in Markdown; without rows, nothing. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return "";
  const [names, ...cells] = [head, ...rows].map(line);
  return [names, `|${head.map(() => "---|").join("")}`, ...cells].join("\n");
}

/** Writes text as code. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Writes the section of a specification in few characters. */
export function section(see: string): string {
  return see.replace("OpenID Connect", "OIDC")
    .replace("Identity Assertion JWT Authorization Grant", "ID-JAG")
    .replace("OAuth Client ID Metadata Document", "CIMD")
    .replace("OWASP API Security Top 10, ", "OWASP ").replace("OWASP ASVS 5.0", "ASVS")
    .replace(/^MCP 2026-07-28, .*\((SEP-\d+)\)$/, "MCP $1").replace("MCP 2026-07-28, ", "MCP, ")
    .replace("MCP Workload Identity Federation", "MCP WIF")
    .replace("OAuth 2.0 Multiple Response Type Encoding Practices", "Response Types")
    .replace(/, section (?=\d)/, " §").replace(", section ", ", ");
}

/** Removes comments, and replaces links by their texts, but for those that begin with what is kept. */
export function withoutLinks(markdown: string, kept = "https?:"): string {
  const links = new RegExp(`\\[([^\\]\\n]+)\\]\\((?!${kept})[^)\\s]*\\)`, "g");
  return markdown.replaceAll(/^<!-- .* -->\n/gm, "").replaceAll(links, "$1");
}

/** Begins a text with a capital letter. */
export function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

/** Replaces the generated chapter of a page, which is its last. What stands before it is kept. */
export function withChapter(page: string, heading: string, text: string): string {
  const [written, ...others] = page.split(`\n${heading}\n`);
  if (others.length !== 1) throw new Error(`The page needs one chapter '${heading}'.`);
  return `${written}\n${heading}\n\n${text}\n`;
}

/** Writes a row. GitHub adds the empty cells at its end. */
function line(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== "");
  const texts = cells.slice(0, last + 1).map((cell) => ` ${cell.replaceAll("|", "\\|")} `);
  return `|${texts.map((text) => text.trim() === "" ? " " : text).join("|")}|`;
}
