/** What XML 1.0 cannot contain, not even escaped: control characters and halves of characters. */
const forbidden =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes text for the content of an element or the value of an attribute. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&apos;")
    .replaceAll("\t", "&#9;").replaceAll("\n", "&#10;").replaceAll("\r", "&#13;");
}

/** Formats an element whose content is text, or the elements of a list, one per line. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: string | readonly string[] = [],
): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`).join("");
  if (content.length === 0) return `<${name}${pairs}/>`;
  const body = typeof content === "string" ? escapeXml(content) : `\n${indent(content)}\n`;
  return `<${name}${pairs}>${body}</${name}>`;
}

function indent(elements: readonly string[]): string {
  return elements.map((element) => element.replace(/^/gm, "  ")).join("\n");
}
