/** Unescapes text from one of our pages. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Returns the text that a reader sees on a page. */
export function textOf(html: string): string {
  const body = html.replace(/<head>[\s\S]*?<\/head>/, "").replace(/<[^>]*>/g, " ");
  return unescapeHtml(body.replace(/\s+/g, " ")).trim();
}

/** A form on one of our pages. */
export interface HtmlForm {
  /** The URL to which it is sent. */
  action: string;
  /** The name and value of each hidden field, in order. */
  hidden: Array<[name: string, value: string]>;
}

/** Finds a form by its id. */
export function findForm(html: string, id: string, url: string): HtmlForm | undefined {
  const pattern = new RegExp(`<form id="${id}"[^>]* action="([^"]*)"[^>]*>[\\s\\S]*?</form>`);
  const [form, action] = pattern.exec(html) ?? [];
  if (form === undefined || action === undefined) return undefined;
  return {
    action: new URL(unescapeHtml(action), url).href,
    hidden: hiddenFields(form),
  };
}

function hiddenFields(form: string): HtmlForm["hidden"] {
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return [...inputs].map(([, name = "", value = ""]) => [unescapeHtml(name), unescapeHtml(value)]);
}
