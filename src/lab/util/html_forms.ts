/** A tag of one of our pages: they are rendered, so that each value has double quotes. */
const anyTag = /<([!/]?[a-z][^\s"/>]*)((?:"[^"]*"|[^">])*)>/gi;

/** Unescapes text from one of our pages. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Returns the text that a reader sees on one of our pages. */
export function textOf(html: string): string {
  const text = html.replace(/<head>.*<\/head>/s, "").replace(anyTag, " ");
  return unescapeHtml(text.replace(/\s+/g, " ")).trim();
}

/** A form on one of our pages. */
export interface HtmlForm {
  /** The URL to which it is sent. */
  action: string;
  /** The name and value of each hidden field, in order. */
  hidden: Array<[name: string, value: string]>;
}

/** Finds a form on one of our pages, which has the given URL. */
export function findForm(html: string, id: string, url: string): HtmlForm | undefined {
  // Each page is asked for all forms that a browser knows, and has few of them.
  if (!html.includes(`id="${id}"`)) return undefined;
  const forms = html.split("</form>").map((part) => tagsIn(part.slice(part.lastIndexOf("<form "))));
  const [form, ...tags] = forms.find(([each]) => each?.id === id) ?? [];
  if (form?.action === undefined) return undefined;
  const hidden = tags.filter(({ type }) => type === "hidden");
  return {
    action: new URL(form.action, url).href,
    hidden: hidden.map(({ name = "", value = "" }) => [name, value]),
  };
}

/** Returns the attributes of each tag. */
function tagsIn(html: string): Array<Readonly<Record<string, string | undefined>>> {
  return [...html.matchAll(anyTag)].map(([, , attributes = ""]) =>
    Object.fromEntries(
      [...attributes.matchAll(/([a-z-]+)="([^"]*)"/g)]
        .map(([, name, value = ""]) => [name, unescapeHtml(value)]),
    )
  );
}
