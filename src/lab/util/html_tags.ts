/** A text that is read by its characters. */
export type ReadableText = Pick<string, "length" | "charAt" | "slice" | "includes">;

export interface HtmlTag {
  /** The name in lower case: `"form"`. */
  name: string;
  isEnd: boolean;
  /** The text between the name and the end of the tag. */
  attributes: string;
  /** Where it starts, and where what follows it starts. */
  start: number;
  end: number;
}

/** Elements whose content has no tags. */
const rawElements = ["script", "style", "textarea", "title"];

const letter = /[a-z]/i;
const nameCharacter = /[^\s/>]/;

/**
 * Reads the tags of a page, each character about once: pages come from applications, and may have
 * tags, quotes and comments without an end.
 */
export function readTags(html: ReadableText): HtmlTag[] {
  const tags: HtmlTag[] = [];
  let at = 0;
  while (at < html.length) {
    if (html.charAt(at) !== "<") {
      at++;
    } else if (startsWith(html, at, "<!--")) {
      at = startOf("-->", html, at) + 3;
    } else {
      const tag = readTag(html, at);
      if (tag === "no end") return tags;
      if (tag) tags.push(tag);
      at = tag ? endOfContent(html, tag) : at + 1;
    }
  }
  return tags;
}

/** Reads the tag at a position, if one starts there. A `>` in quotes does not end it. */
function readTag(html: ReadableText, start: number): HtmlTag | "no end" | undefined {
  const isEnd = html.charAt(start + 1) === "/";
  const nameStart = start + (isEnd ? 2 : 1);
  if (!letter.test(html.charAt(nameStart))) return undefined;
  const nameEnd = skip(html, nameStart, (character) => nameCharacter.test(character));
  const end = endOfTag(html, nameEnd);
  if (end === undefined) return "no end";
  return {
    name: html.slice(nameStart, nameEnd).toLowerCase(),
    isEnd,
    attributes: html.slice(nameEnd, end - 1),
    start,
    end,
  };
}

function endOfTag(html: ReadableText, from: number): number | undefined {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") {
      return at + 1;
    } else if (character === '"' || character === "'") {
      quote = character;
    }
  }
  return undefined;
}

/** Returns where the next tag may start: not in the content of a script. */
function endOfContent(html: ReadableText, { name, isEnd, end }: HtmlTag): number {
  if (isEnd || !rawElements.includes(name)) return end;
  return startOf(`</${name}`, html, end);
}

/** Returns where a text begins, from a position on. */
function startOf(text: string, html: ReadableText, from: number): number {
  let at = from;
  while (at < html.length && !startsWith(html, at, text)) at++;
  return at;
}

/** The case of letters does not matter. */
function startsWith(html: ReadableText, at: number, text: string): boolean {
  if (html.charAt(at) !== text.charAt(0)) return false;
  return html.slice(at, at + text.length).toLowerCase() === text;
}

function skip(html: ReadableText, from: number, isIn: (character: string) => boolean): number {
  let at = from;
  while (at < html.length && isIn(html.charAt(at))) at++;
  return at;
}
