import { type HtmlTag, type ReadableText, readTags } from "./html_tags.ts";

/** Unescapes text from one of our pages. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Returns the text that a reader sees on a page. */
export function textOf(html: string): string {
  const parts: string[] = [];
  let at = 0;
  let isHead = false;
  for (const { name, isEnd, start, end } of readTags(html)) {
    if (!isHead) parts.push(html.slice(at, start));
    if (name === "head") isHead = !isEnd;
    at = end;
  }
  parts.push(html.slice(at));
  return unescapeHtml(parts.join(" ").replace(/\s+/g, " ")).trim();
}

/** A form on one of our pages. */
export interface HtmlForm {
  /** The URL to which it is sent. */
  action: string;
  /** The name and value of each hidden field, in order. */
  hidden: Array<[name: string, value: string]>;
}

export function findForm(html: ReadableText, id: string, url: string): HtmlForm | undefined {
  // Each page is asked for all forms that a browser knows, and has few of them.
  if (!html.includes(id)) return undefined;
  const found = formsIn(html).find(({ attributes }) => attributes.id === id);
  const { action } = found?.attributes ?? {};
  if (!found || action === undefined) return undefined;
  const hidden = found.controls.filter(({ type }) => type === "hidden");
  return {
    action: new URL(action, url).href,
    hidden: hidden.map(({ name, value }) => [name, value]),
  };
}

/** What can be pressed on a page without entering anything: a link, or a button of a form. */
export interface PageControl {
  text: string;
  method: "GET" | "POST";
  /** Where it leads, for GET with the fields of its form. */
  url: string;
  fields: Array<[name: string, value: string]>;
}

/** Finds the buttons of any page whose forms ask for nothing. */
export function buttonsIn(html: ReadableText, url: string): PageControl[] {
  return formsIn(html).flatMap(({ attributes: { method, action = "" }, controls, text }):
    | PageControl
    | [] => {
    if (!URL.canParse(action, url) || controls.some(({ type }) => type === "text")) return [];
    const hidden = controls.filter(({ type }) => type === "hidden" || type === "chosen");
    const button = controls.find(({ type, name }) => type === "submit" && name !== "");
    const fields = (button ? [...hidden, button] : hidden)
      .map(({ name, value }): [string, string] => [name, value]);
    const target = new URL(action, url);
    const label = controls.filter(({ type }) => type === "submit").map(({ value }) => value);
    const says = [text, ...label].join(" ").trim();
    if (method?.toLowerCase() === "post") {
      return { text: says, method: "POST", url: target.href, fields };
    }
    target.search = new URLSearchParams(fields).toString();
    return { text: says, method: "GET", url: target.href, fields };
  });
}

/** Returns the URL to which a page leads its browser at once, by a header or an element. */
export function refreshTarget(header: string | undefined, html: ReadableText): string | undefined {
  const refresh = header ?? (html.includes("http-equiv") ? metaRefresh(html) : undefined);
  return /^\s*[0-5]?\s*[;,]\s*url=['"]?([^'"\s]+)/i.exec(refresh ?? "")?.[1];
}

function metaRefresh(html: ReadableText): string | undefined {
  const metas = readTags(html).filter(({ name }) => name === "meta").map(attributesOf);
  return metas.find((meta) => meta["http-equiv"]?.toLowerCase() === "refresh")?.content;
}

/** Finds the links of any page, with their texts. Each one ends where the next one begins. */
export function linksIn(html: ReadableText, url: string): { href: string; text: string }[] {
  const tags = readTags(html).filter(({ name }) => name === "a");
  return tags.flatMap((tag, at) => {
    const { href } = attributesOf(tag);
    if (tag.isEnd || href === undefined || !URL.canParse(href, url)) return [];
    const text = textOf(html.slice(tag.end, tags[at + 1]?.start ?? tag.end));
    return [{ href: new URL(href, url).href, text }];
  });
}

/** Returns the content of the first `meta` with a name. */
export function metaContent(html: ReadableText, name: string): string | undefined {
  const metas = readTags(html).filter((tag) => tag.name === "meta").map(attributesOf);
  return metas.find((meta) => meta.name?.toLowerCase() === name)?.content;
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** A form that has an end, and what it contains. */
interface ParsedForm {
  attributes: Attributes;
  controls: FormControl[];
  /** What a reader sees of it. */
  text: string;
}

interface FormControl {
  /** A list with entries has one that is chosen, and so asks for nothing. */
  type: "hidden" | "list" | "chosen" | "submit" | "text";
  name: string;
  value: string;
}

const controlNames = ["input", "button", "select", "textarea"];

/** Returns the forms of a page. A form within another one is not one, as in browsers. */
function formsIn(html: ReadableText): ParsedForm[] {
  const forms: ParsedForm[] = [];
  let current: Omit<ParsedForm, "text"> & { start: number } | undefined;
  const tags = readTags(html);
  for (const [at, tag] of tags.entries()) {
    if (tag.name === "form" && tag.isEnd) {
      if (current) forms.push({ ...current, text: textOf(html.slice(current.start, tag.start)) });
      current = undefined;
    } else if (tag.name === "form") {
      current ??= { attributes: attributesOf(tag), controls: [], start: tag.end };
    } else if (current && !tag.isEnd && tag.name === "option") {
      const list = current.controls.at(-1);
      const text = textOf(html.slice(tag.end, tags[at + 1]?.start ?? tag.end));
      const { value = text, selected, disabled } = attributesOf(tag);
      if (disabled !== undefined) continue;
      // A list has its first entry that can be chosen, unless another one is selected.
      if (list?.type === "list" || list?.type === "chosen" && selected !== undefined) {
        Object.assign(list, { type: "chosen", value });
      }
    } else if (current && !tag.isEnd && controlNames.includes(tag.name)) {
      current.controls.push(controlOf(tag));
    }
  }
  return forms;
}

function controlOf(tag: HtmlTag): FormControl {
  const { type, name = "", value = "" } = attributesOf(tag);
  return { type: controlType(tag.name, type?.toLowerCase()), name, value };
}

function controlType(tag: string, type: string | undefined): FormControl["type"] {
  if (tag === "button") return "submit";
  if (tag === "select") return "list";
  if (tag !== "input") return "text";
  if (type === "hidden") return "hidden";
  return ["submit", "image", "button"].includes(type ?? "") ? "submit" : "text";
}

function attributesOf({ attributes }: HtmlTag): Attributes {
  const pairs = attributes.matchAll(/([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi);
  return Object.fromEntries(
    [...pairs].map(([, name = "", double, single, plain]) => [
      name.toLowerCase(),
      unescapeHtml(double ?? single ?? plain ?? ""),
    ]),
  );
}
