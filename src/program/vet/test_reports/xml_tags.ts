import { UsageError } from "../../terminal/usage_error.ts";

/** A tag of an XML document. */
export interface XmlTag {
  name: string;
  kind: "start" | "end" | "empty";
  attributes: ReadonlyMap<string, string>;
}

/** What a scanner passes over, with what ends it. */
const passedOver: ReadonlyArray<readonly [start: string, end: string]> = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];

const tagStart = /<(\/?)([^\s<>/="']+)/y;
const attributePattern = /\s*([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;

const namedCharacters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * Returns the tags of an XML document, without its texts. It knows the five entities of XML alone:
 * a document type, which could declare others, is refused. The end of a document may be missing,
 * because a suite may have been stopped.
 */
export function* readXmlTags(text: string): Generator<XmlTag> {
  let at = text.indexOf("<");
  while (at >= 0) {
    const skip = passedOver.find(([start]) => text.startsWith(start, at));
    if (skip) {
      const end = text.indexOf(skip[1], at + skip[0].length);
      if (end < 0) return;
      at = text.indexOf("<", end + skip[1].length);
      continue;
    }
    if (text.startsWith("<!", at)) {
      throw new UsageError("The report declares a document type, which no test runner writes.");
    }
    const read = readTag(text, at);
    if (read === undefined) return;
    yield read.tag;
    at = text.indexOf("<", read.end);
  }
}

/** Reads the tag at a position. Returns undefined if there is none, or if the text ends in it. */
function readTag(text: string, at: number): { tag: XmlTag; end: number } | undefined {
  const [start, slash, name = ""] = matchAt(tagStart, text, at) ?? [];
  if (start === undefined) return undefined;
  const attributes = new Map<string, string>();
  let position = at + start.length;
  for (;;) {
    const [whole, key = "", double, single] = matchAt(attributePattern, text, position) ?? [];
    if (whole === undefined) break;
    attributes.set(key, decodeCharacters(double ?? single ?? ""));
    position += whole.length;
  }
  const [end, empty] = matchAt(tagEnd, text, position) ?? [];
  if (end === undefined) return undefined;
  return { tag: { name, kind: kindOf(slash, empty), attributes }, end: position + end.length };
}

function kindOf(slash: string | undefined, empty: string | undefined): XmlTag["kind"] {
  if (slash === "/") return "end";
  return empty === "/" ? "empty" : "start";
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Decodes the references that XML itself knows, once; any other one stays as it is. */
function decodeCharacters(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,4}));/g,
    (whole, ten, hex, name) => {
      if (name !== undefined) return namedCharacters[name] ?? whole;
      const code = ten === undefined ? parseInt(hex, 16) : Number(ten);
      return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
}
