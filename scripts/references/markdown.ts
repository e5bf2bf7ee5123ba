/** Writes a table in Markdown; without rows, nothing. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return "";
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

/** Writes text as code. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Writes the section of a specification in few characters. */
export function section(see: string): string {
  return see.replace("OpenID Connect", "OIDC")
    .replace("Identity Assertion JWT Authorization Grant", "ID-JAG")
    .replace(/, section (?=\d)/, " §").replace(", section ", ", ");
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
  return `| ${cells.slice(0, last + 1).map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
