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

/** A form of a page that is sent by POST with one click. */
export interface ButtonForm {
  /** The URL to which it is sent. */
  action: string;
  /** The name and value of each field. */
  fields: Array<[name: string, value: string]>;
}

/** Finds the forms of any page that are sent by POST and ask for nothing. */
export function formsWithoutInput(html: string, url: string): ButtonForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].flatMap(([, tag, content]) => {
    const { method, action = "" } = attributesOf(tag);
    const controls = controlsIn(content ?? "");
    if (method?.toLowerCase() !== "post" || !URL.canParse(action, url)) return [];
    if (controls.some(({ type }) => type === "text")) return [];
    const hidden = controls.filter(({ type }) => type === "hidden");
    const button = controls.find(({ type, name }) => type === "submit" && name !== "");
    const pressed = button ? [...hidden, button] : hidden;
    return [{
      action: new URL(action, url).href,
      fields: pressed.map(({ name, value }): [string, string] => [name, value]),
    }];
  });
}

interface FormControl {
  type: "hidden" | "submit" | "text";
  name: string;
  value: string;
}

function controlsIn(html: string): FormControl[] {
  return [...html.matchAll(/<(input|button|select|textarea)\b([^>]*)>/gi)].map(([, tag, text]) => {
    const { type, name = "", value = "" } = attributesOf(text);
    return { type: controlType(tag?.toLowerCase(), type?.toLowerCase()), name, value };
  });
}

function controlType(tag: string | undefined, type: string | undefined): FormControl["type"] {
  if (tag === "button") return "submit";
  if (tag !== "input") return "text";
  if (type === "hidden") return "hidden";
  return ["submit", "image", "button"].includes(type ?? "") ? "submit" : "text";
}

function attributesOf(text = ""): Record<string, string | undefined> {
  const pairs = text.matchAll(/([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi);
  return Object.fromEntries(
    [...pairs].map(([, name = "", double, single, plain]) => [
      name.toLowerCase(),
      unescapeHtml(double ?? single ?? plain ?? ""),
    ]),
  );
}
