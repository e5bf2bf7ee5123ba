import { type DefaultTreeAdapterMap, parse } from "parse5";
import { marker } from "./generators/texts.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

/** The attributes whose value a browser opens, loads or sends to. */
const urlAttributes = ["href", "src", "action", "formaction", "data", "srcset", "xlink:href"];

/** The elements that no page of ours has. */
const foreignElements = ["base", "object", "embed", "applet", "math", "template", "frameset"];

/** Parses a page as browsers do, and lists what hostile text has put into it. */
export function htmlProblems(html: string): string[] {
  return elementsOf(parse(html)).flatMap(problemsOf);
}

/** Returns all elements below a node, in order. */
export function elementsOf(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "tagName" in node ? [node, ...children] : children;
}

/** Returns each element of a page as its name and the names of its attributes. */
export function elementShapes(html: string): string[] {
  return elementsOf(parse(html)).map(({ tagName, attrs }) => {
    const names = attrs.map(({ name }) => name).toSorted();
    return [tagName, ...names].join(" ");
  });
}

/** Returns the texts of a page, and the values of its attributes. */
export function textsOf(html: string): string[] {
  const document = parse(html);
  const values = elementsOf(document).flatMap(({ attrs }) => attrs.map(({ value }) => value));
  return [textIn(document), ...values];
}

function textIn(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}

function problemsOf({ tagName, attrs }: Element): string[] {
  const names = attrs.map(({ name }) => name);
  const urls = attrs.filter(({ name }) => urlAttributes.includes(name));
  const problems = [
    tagName.includes(marker) && "an element that was injected",
    foreignElements.includes(tagName) && "an element that pages never have",
    names.some((name) => name.includes(marker)) && "an attribute that was injected",
    names.some((name) => name.startsWith("on") || name === "style") && "an inline handler or style",
    urls.some(({ value }) => isActive(value)) && "a URL that runs something",
    tagName === "script" && !isOwnScript(attrs) && "a script of somebody else",
  ];
  return problems.filter((problem) => problem !== false).map((problem) =>
    `<${tagName}>: ${problem}`
  );
}

/** Whether a browser would run a URL, or show it as a document. It skips controls and spaces. */
function isActive(url: string): boolean {
  // deno-lint-ignore no-control-regex
  return /^(?:javascript|data|vbscript|file|blob):/i.test(url.replace(/[\x00-\x20]/g, ""));
}

function isOwnScript(attrs: Element["attrs"]): boolean {
  const src = attrs.find(({ name }) => name === "src")?.value ?? "";
  return /^(?:\/[\w-]+)*\/static\/[\w.-]+\.js$/.test(src);
}
