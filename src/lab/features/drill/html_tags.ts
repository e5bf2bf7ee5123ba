import { Tokenizer } from "htmlparser2";

export type Attributes = Readonly<Record<string, string | undefined>>;

/** A tag of a page, with the text up to the next one. Comments are in neither. */
export interface HtmlTag {
  /** The name in lower case: `"form"`. It is empty for what precedes the first tag. */
  name: string;
  isEnd: boolean;
  /** By their names in lower case. */
  attributes: Attributes;
  text: string;
}

/** Reads the tags of any page as a browser does. Tags, quotes and comments may lack an end. */
export function readTags(html: string): HtmlTag[] {
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const begin = (name: string, isEnd = false) => ({ name, isEnd, attributes: {}, text: "" });
  let last: HtmlTag = begin("");
  const tags = [last];
  const add = (tag: HtmlTag) => void tags.push(last = tag);
  let opened: HtmlTag & { attributes: Record<string, string> } = begin("");
  let attribute = "";
  let value = "";
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, {
    onopentagname: (start, end) => opened = begin(nameAt(start, end)),
    onattribname: (start, end) => [attribute, value] = [nameAt(start, end), ""],
    onattribdata: (start, end) => value += html.slice(start, end),
    onattribentity: (codePoint) => value += String.fromCodePoint(codePoint),
    // Of two attributes with one name, a browser takes the first.
    onattribend: () => opened.attributes[attribute] ??= value,
    onopentagend: () => add(opened),
    onselfclosingtag: () => add(opened),
    onclosetag: (start, end) => add(begin(nameAt(start, end), true)),
    ontext: (start, end) => last.text += html.slice(start, end),
    ontextentity: (codePoint) => last.text += String.fromCodePoint(codePoint),
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onend: ignore,
  });
  tokenizer.write(html);
  tokenizer.end();
  return tags;
}

function ignore(): void {}
