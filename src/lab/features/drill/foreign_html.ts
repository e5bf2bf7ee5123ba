import { type Attributes, type HtmlTag, readTags } from "./html_tags.ts";

/** Returns the text that a reader sees on a page of an application, and that of its scripts. */
export function readableText(html: string): string {
  let isHead = false;
  return joinTexts(
    readTags(html).filter(({ name, isEnd }) => {
      if (name === "head") isHead = !isEnd;
      if (name === "body") isHead = false;
      return !isHead;
    }),
  );
}

/** Whether a page has a value, as it is or escaped, in its text or in an attribute. */
export function hasValue(html: string, value: string): boolean {
  if (html.includes(value)) return true;
  const tags = html.includes("&") ? readTags(html) : [];
  return tags.some(({ text, attributes }) =>
    [text, ...Object.values(attributes)].some((each) => each?.includes(value))
  );
}

/** What no reader sees whose browser runs scripts. */
const unseen = ["script", "style", "noscript", "template", "title"];

/** Whether a page has scripts, and shows neither text nor anything to press without them. */
export function isFilledByScripts(html: string): boolean {
  const tags = readTags(html);
  let hidden: string | undefined;
  const shown = tags.filter(({ name, isEnd }) => {
    if (hidden === undefined && !isEnd && unseen.includes(name)) hidden = name;
    else if (isEnd && name === hidden) hidden = undefined;
    return hidden === undefined;
  });
  const isEmpty = joinTexts(shown) === "" &&
    !shown.some(({ name }) => name === "a" || controlNames.includes(name));
  return isEmpty && tags.some(({ name }) => name === "script");
}

function joinTexts(tags: readonly HtmlTag[]): string {
  return tags.map(({ text }) => text).join(" ").replace(/\s+/g, " ").trim();
}

/** What can be pressed on a page without entering anything: a link, or a button of a form. */
export interface PageControl {
  text: string;
  method: "GET" | "POST";
  /** Where it leads, for GET with the fields of its form. */
  url: string;
  fields: Array<[name: string, value: string]>;
}

/** Finds the buttons of a page whose forms ask for nothing. */
export function buttonsIn(html: string, url: string): PageControl[] {
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
export function refreshTarget(header: string | undefined, html: string): string | undefined {
  const refresh = header ?? (html.includes("http-equiv") ? metaRefresh(html) : undefined);
  return /^\s*[0-5]?\s*[;,]\s*url=['"]?([^'"\s]+)/i.exec(refresh ?? "")?.[1];
}

function metaRefresh(html: string): string | undefined {
  return metasIn(html).find((meta) => meta["http-equiv"]?.toLowerCase() === "refresh")?.content;
}

/** Finds the links of a page, with their texts. Each one ends where the next one begins. */
export function linksIn(html: string, url: string): { href: string; text: string }[] {
  const links: HtmlTag[][] = [];
  for (const tag of readTags(html)) {
    if (tag.name === "a") links.push([tag]);
    else links.at(-1)?.push(tag);
  }
  return links.flatMap((tags) => {
    const href = tags[0]?.attributes.href;
    if (href === undefined || !URL.canParse(href, url)) return [];
    return [{ href: new URL(href, url).href, text: joinTexts(tags) }];
  });
}

/** A path in quotes: what a script asks for. */
const quotedPath = /["'`](\/[\w.~-][\w.~/-]{0,80})["'`]/g;

/** Returns the URLs of the scripts of a page, and of what its scripts name, at its own origin. */
export function resourcesIn(html: string, url: string): string[] {
  const tags = readTags(html);
  const scripts = tags.filter(({ name, isEnd }) => name === "script" && !isEnd);
  const isScript = !/^\s*</.test(html);
  const named = [isScript ? html : "", ...scripts.map(({ text }) => text)].join("\n");
  const found = [
    ...scripts.flatMap(({ attributes: { src } }) => src ?? []),
    ...Array.from(named.matchAll(quotedPath), ([, path = ""]) => path),
  ];
  const { origin } = new URL(url);
  const urls = found.filter((each) => URL.canParse(each, url)).map((each) => new URL(each, url));
  return [...new Set(urls.filter((each) => each.origin === origin).map(({ href }) => href))];
}

/** Returns the content of the first `meta` with a name. */
export function metaContent(html: string, name: string): string | undefined {
  return metasIn(html).find((meta) => meta.name?.toLowerCase() === name)?.content;
}

function metasIn(html: string): Attributes[] {
  return readTags(html).filter(({ name }) => name === "meta").map(({ attributes }) => attributes);
}

/** A form, and what it contains. */
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
function formsIn(html: string): ParsedForm[] {
  const forms: HtmlTag[][] = [];
  let current: HtmlTag[] | undefined;
  for (const tag of readTags(html)) {
    if (tag.name !== "form") current?.push(tag);
    else if (tag.isEnd) current = undefined;
    else if (!current) forms.push(current = [tag]);
  }
  return forms.map((tags) => ({
    attributes: tags[0]?.attributes ?? {},
    controls: controlsIn(tags),
    text: joinTexts(tags),
  }));
}

function controlsIn(tags: readonly HtmlTag[]): FormControl[] {
  const controls: FormControl[] = [];
  for (const tag of tags) {
    const { name, isEnd, attributes } = tag;
    if (isEnd) continue;
    if (controlNames.includes(name)) controls.push(controlOf(name, attributes));
    const list = controls.at(-1);
    const { value = joinTexts([tag]), selected, disabled } = attributes;
    if (name !== "option" || disabled !== undefined) continue;
    // A list has its first entry that can be chosen, unless another one is selected.
    if (list?.type === "list" || list?.type === "chosen" && selected !== undefined) {
      Object.assign(list, { type: "chosen", value });
    }
  }
  return controls;
}

function controlOf(tag: string, { type, name = "", value = "" }: Attributes): FormControl {
  return { type: controlType(tag, type?.toLowerCase()), name, value };
}

function controlType(tag: string, type: string | undefined): FormControl["type"] {
  if (tag === "button") return "submit";
  if (tag === "select") return "list";
  if (tag !== "input") return "text";
  if (type === "hidden") return "hidden";
  return ["submit", "image", "button"].includes(type ?? "") ? "submit" : "text";
}
