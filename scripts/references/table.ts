/** Writes a table in Markdown; without rows, nothing. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return "";
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
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
