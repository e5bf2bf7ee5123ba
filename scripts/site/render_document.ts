import { join } from "node:path";
import { fetched } from "../downloads.ts";

/** A heading, or a row of a reference, that a link can lead to. */
export interface Place {
  anchor: string;
  title: string;
  /** The level of a heading; a row has none. */
  level?: number;
  /** What follows, as a search shows it. */
  text: string;
}

/** A document as a page. */
export interface RenderedDocument {
  title: string;
  description: string;
  /** What is below its title. */
  html: string;
  places: Place[];
}

/** Where links and pictures of a document lead on the site; undefined if nowhere. */
export interface LinkTargets {
  link(target: string): string | undefined;
  picture(target: string): string;
}

/** The part of Marked that we use, whose types are not installed with ours. */
interface Token {
  type: string;
  raw: string;
  text: string;
  href: string;
  depth: number;
  tokens: Token[];
  header: Token[];
  rows: Token[][];
}

interface Renderer {
  parser: { parseInline(tokens: Token[]): string };
}

interface MarkedModule {
  Marked: new (options: object) => {
    lexer(text: string): Token[];
    parser(tokens: Token[]): string;
  };
}

/** How much of a text a search shows, in characters. */
const excerpt = 140;

/** Loads the library, and returns what renders documents of GitHub with it. */
export async function createRenderer(): Promise<
  (source: string, targets: LinkTargets) => RenderedDocument
> {
  const folder = await fetched("scripts/site/marked");
  const { Marked }: MarkedModule = await import(
    join(folder, "node_modules/marked/lib/marked.esm.js")
  );
  return (source, targets) => {
    const places: Place[] = [];
    const marked = new Marked({ renderer: rendererFor(places, targets) });
    const [heading, ...rest] = withoutContents(marked.lexer(source));
    const html = marked.parser(rest);
    addTexts(places, rest);
    return {
      title: heading?.text ?? "",
      description: plainText(rest.find(({ type }) => type === "paragraph")?.text ?? ""),
      html,
      places,
    };
  };
}

/** The page has its contents in a column. */
function withoutContents(tokens: Token[]): Token[] {
  const at = tokens.findIndex(({ type, text }) => type === "heading" && text === "Contents");
  if (at < 0) return tokens;
  const end = tokens.findIndex(({ type }, index) => index > at && type === "heading");
  return [...tokens.slice(0, at), ...tokens.slice(end)];
}

/** Returns what Marked calls for each part of a document. `places` gets what it can lead to. */
function rendererFor(places: Place[], { link, picture }: LinkTargets) {
  const taken = new Set<string>();
  const unique = (anchor: string) => {
    let name = anchor;
    for (let count = 1; taken.has(name); count++) name = `${anchor}-${count}`;
    taken.add(name);
    return name;
  };

  function cell(this: Renderer, { tokens }: Token, tag = "td", attributes = ""): string {
    return `<${tag}${attributes}>${this.parser.parseInline(tokens)}</${tag}>`;
  }

  /** A header without a text is none. */
  function headerCell(this: Renderer, header: Token): string {
    return header.text === "" ? "<td></td>" : cell.call(this, header, "th", ' scope="col"');
  }

  function row(this: Renderer, cells: Token[]): string {
    const [first, second] = cells;
    const [only, ...more] = first?.tokens ?? [];
    const rest = cells.map((each) => cell.call(this, each)).join("");
    if (only?.type !== "codespan" || more.length > 0) return `<tr>${rest}</tr>\n`;
    const section = places.findLast(({ level }) => level)?.anchor;
    const name = only.text.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^-|-$/g, "");
    const anchor = unique(section ? `${section}-${name}` : name);
    const texts = cells.slice(1).map(({ text }) => plainText(text));
    places.push({
      anchor,
      title: only.text,
      text: (texts.at(-1) || plainText(second?.text ?? "")).slice(0, excerpt),
    });
    return `<tr id="${anchor}">${rest}</tr>\n`;
  }

  return {
    heading(this: Renderer, { tokens, depth, text }: Token): string {
      const anchor = unique(anchorOf(text));
      places.push({ anchor, title: plainText(text), level: depth, text: "" });
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${content}</a></h${depth}>\n`;
    },
    link(this: Renderer, { href, tokens }: Token): string {
      const content = this.parser.parseInline(tokens);
      const target = link(href);
      return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
    },
    image: ({ href, text }: Token) =>
      `<img src="${escapeHtml(picture(href))}" alt="${escapeHtml(text)}" loading="lazy">`,
    table(this: Renderer, { header, rows }: Token): string {
      const head = header.some(({ text }) => text !== "")
        ? `<thead><tr>${header.map((each) => headerCell.call(this, each)).join("")}</tr></thead>`
        : "";
      const body = rows.map((each) => row.call(this, each)).join("");
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
    },
    code: ({ text }: Token) =>
      `<pre tabindex="0"><code>${escapeHtml(withoutIndentation(text))}</code></pre>\n`,
    // Names break where their parts end, not in the middle of a word.
    codespan: ({ text }: Token) =>
      `<code>${escapeHtml(text).replaceAll(/(?<=\w[._/])(?=\w)/g, "<wbr>")}</code>`,
  };
}

/** Adds to each heading how its section begins. */
function addTexts(places: Place[], tokens: readonly Token[]): void {
  const headings = places.filter(({ level }) => level !== undefined);
  let at = -1;
  for (const { type, text } of tokens) {
    if (type === "heading") at += 1;
    const heading = headings[at];
    if (!heading || heading.text !== "" || !["paragraph", "list"].includes(type)) continue;
    heading.text = plainText(text ?? "").slice(0, excerpt);
  }
}

/** A block that was cut out of a file keeps no indentation that each of its lines has. */
function withoutIndentation(code: string): string {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  const common = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.length === 0 ? code : code.replaceAll(new RegExp(`^ {${common}}`, "gm"), "");
}

/** The anchor that GitHub gives a heading. */
function anchorOf(title: string): string {
  return plainText(title).toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}

/** Returns the text of Markdown in one line. */
function plainText(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "").replaceAll(
    /\s+/g,
    " ",
  ).trim();
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
