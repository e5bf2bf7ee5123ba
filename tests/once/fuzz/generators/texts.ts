import fc, { type Arbitrary } from "fast-check";

/** A name that no page, header or row of ours has. An element with it was injected. */
export const marker = "hpfuzz";

/** Pieces that mean something to a parser: of URLs, forms, JSON, JWTs, headers, HTML or SQL. */
export const hostilePieces: readonly string[] = [
  ...[
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "\x01",
    "\x7f",
    "\x85",
    "\u00a0",
    "\u2028",
    "\ufeff",
  ],
  ...[
    "\ud800",
    "\udc00",
    "\ufffd",
    "\u200b",
    "\u202e",
    "\u0130",
    "\u017f",
    "ß",
    "ä",
    "🎫",
    "\u0301",
  ],
  ...["%", "%0", "%zz", "%00", "%0d%0a", "%ff", "%c1%a5", "%ed%a0%80", "%25", "%2f", "%3a", "+"],
  ...["&", "=", "&&", ";", "?", "#", "/", "//", "\\", "@", ":", ".", "..", "/../", "[", "]", "*"],
  ...['"', "'", "`", "<", ">", "(", ")", "{", "}", "|", "^", "~", "$", ",", "!", "--", "_"],
  ...["null", "undefined", "NaN", "true", "0", "-1", "1e9", "1e309", "0x10", "9007199254740993"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "length"],
  ...["{}", "[]", "[[[[[[[[", '{"a":', '{"__proto__":{"a":1}}', "e30", "e30.e30.", "e30.e30.e30"],
  ...["javascript:alert(1)", "data:text/html,x", "https://evil.example", "//evil.example"],
  ...[`<${marker}>`, `"><${marker}>`, `' ${marker}='`, `" ${marker}="`, `</title><${marker}>`],
  ...[`--><${marker}>`, `</script><${marker}>`, `</style><${marker}>`, `<!--`, "<![CDATA["],
  ...["' OR 1=1 --", "%s%n", "${7*7}", "{{7*7}}", "\x1b[31m", "; rm -rf /", "$(id)", "`id`"],
];

export const hostilePiece: Arbitrary<string> = fc.constantFrom(...hostilePieces);

/** Any text: short, of any characters, hostile, or long. */
export const anyText: Arbitrary<string> = fc.oneof(
  { arbitrary: hostilePiece, weight: 3 },
  { arbitrary: fc.string({ maxLength: 30 }), weight: 2 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 2 },
  { arbitrary: fc.array(hostilePiece, { maxLength: 6 }).map((all) => all.join("")), weight: 2 },
  {
    arbitrary: fc.tuple(hostilePiece, fc.nat(3000)).map(([piece, times]) => piece.repeat(times)),
    weight: 1,
  },
);

const changes = ["insert", "delete", "repeat", "cut", "case", "encode", "replace"] as const;

/** A small change of a text. */
export interface TextEdit {
  change: typeof changes[number];
  /** Where, in thousandths of the text. */
  at: number;
  length: number;
  piece: string;
}

export const textEdit: Arbitrary<TextEdit> = fc.record({
  change: fc.constantFrom(...changes),
  at: fc.nat(1000),
  length: fc.integer({ min: 1, max: 6 }),
  piece: hostilePiece,
});

/** Returns a text with a change. */
export function applyEdit(text: string, { change, at, length, piece }: TextEdit): string {
  const from = Math.floor(text.length * at / 1000);
  const [before, middle, after] = [
    text.slice(0, from),
    text.slice(from, from + length),
    text.slice(from + length),
  ];
  switch (change) {
    case "insert":
      return before + piece + middle + after;
    case "delete":
      return before + after;
    case "repeat":
      return before + middle.repeat(length + 1) + after;
    case "cut":
      return before;
    case "case":
      return before + swapCase(middle) + after;
    case "encode":
      return before + percentEncode(middle) + after;
    case "replace":
      return before + piece + after;
  }
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function percentEncode(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Makes texts that are almost those of a grammar. */
export function mutated(texts: Arbitrary<string>): Arbitrary<string> {
  return fc.tuple(texts, fc.array(textEdit, { maxLength: 3 }))
    .map(([text, edits]) => edits.reduce(applyEdit, text));
}
