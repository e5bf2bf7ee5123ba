/** Reads text as it stands in a page of ours. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&#39;",
    "'",
  ).replaceAll("&amp;", "&");
}

/** What one reads on a page. */
export function textOf(html: string): string {
  return unescapeHtml(
    html.replace(/<head>[\s\S]*?<\/head>/, "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " "),
  ).trim();
}

/** A form of a page of ours: where it goes, and what it carries unseen. */
export interface HtmlForm {
  action: string;
  hidden: Record<string, string>;
}

/** Finds a form by its id. */
export function findForm(html: string, id: string, url: string): HtmlForm | undefined {
  const [form, action] =
    new RegExp(`<form id="${id}"[^>]* action="([^"]*)"[^>]*>[\\s\\S]*?</form>`).exec(html) ?? [];
  if (form === undefined) return undefined;
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const hidden = Object.fromEntries(
    inputs.map(([, name, value]) => [unescapeHtml(name), unescapeHtml(value)]),
  );
  return { action: new URL(unescapeHtml(action), url).href, hidden };
}
