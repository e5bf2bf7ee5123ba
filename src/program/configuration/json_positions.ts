/** A place in a text. Both numbers begin with 1, as in an editor. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Thrown for a text that is not JSON. The message says what was expected. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly position: TextPosition;

  constructor(message: string, position: TextPosition) {
    super(message);
    this.position = position;
  }
}

/** Reads a JSON text from its beginning to its end. */
interface Scanner {
  text: string;
  /** Where the rest of the text begins. */
  offset: number;
  /** Where each member and each entry begins, by its path. */
  found: Map<string, number>;
}

const space = /[ \t\n\r]*/y;
const quotedText = /"(?:[^"\\]|\\.)*"/sy;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/**
 * Returns where each member and each entry of a JSON text is, by its path, such as `clients[0].id`.
 * Of members with the same name, the last one counts, as in `JSON.parse`.
 */
export function readJsonPositions(text: string): ReadonlyMap<string, TextPosition> {
  const scanner: Scanner = { text, offset: 0, found: new Map() };
  readValue(scanner, "");
  skipSpace(scanner);
  if (scanner.offset < text.length) throw expected(scanner, "the end of the file");
  return new Map([...scanner.found].map(([path, offset]) => [path, positionAt(text, offset)]));
}

function readValue(scanner: Scanner, path: string): void {
  skipSpace(scanner);
  if (take(scanner, "{")) readMembers(scanner, path);
  else if (take(scanner, "[")) readEntries(scanner, path);
  else if (readString(scanner) === undefined && !match(scanner, scalar)) throw notAValue(scanner);
}

function readMembers(scanner: Scanner, path: string): void {
  if (isClosed(scanner, "}")) return;
  do {
    skipSpace(scanner);
    const { offset } = scanner;
    const name = readName(scanner);
    const member = path === "" ? name : `${path}.${name}`;
    scanner.found.set(member, offset);
    skipSpace(scanner);
    if (!take(scanner, ":")) throw expected(scanner, "a colon");
    readValue(scanner, member);
    skipSpace(scanner);
  } while (take(scanner, ","));
  if (!take(scanner, "}")) throw expected(scanner, "a comma or }");
}

function readEntries(scanner: Scanner, path: string): void {
  if (isClosed(scanner, "]")) return;
  let index = 0;
  do {
    skipSpace(scanner);
    const entry = `${path}[${index++}]`;
    scanner.found.set(entry, scanner.offset);
    readValue(scanner, entry);
    skipSpace(scanner);
  } while (take(scanner, ","));
  if (!take(scanner, "]")) throw expected(scanner, "a comma or ]");
}

function readName(scanner: Scanner): string {
  const name = readString(scanner);
  if (name === undefined) throw expected(scanner, "a name in double quotes");
  return name;
}

function readString(scanner: Scanner): string | undefined {
  const { offset } = scanner;
  try {
    const quoted = match(scanner, quotedText);
    return quoted === undefined ? undefined : JSON.parse(quoted);
  } catch {
    // It has a line break or an unknown escape.
    scanner.offset = offset;
    return undefined;
  }
}

function isClosed(scanner: Scanner, bracket: string): boolean {
  skipSpace(scanner);
  return take(scanner, bracket);
}

function skipSpace(scanner: Scanner): void {
  match(scanner, space);
}

function take(scanner: Scanner, character: string): boolean {
  if (scanner.text[scanner.offset] !== character) return false;
  scanner.offset++;
  return true;
}

function match(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.offset;
  const [matched] = pattern.exec(scanner.text) ?? [];
  scanner.offset += matched?.length ?? 0;
  return matched;
}

function notAValue(scanner: Scanner): JsonError {
  const isString = scanner.text[scanner.offset] === '"';
  return isString
    ? expected(scanner, "a string that is closed on its line and has valid escapes")
    : expected(scanner, "a value");
}

/** Does not repeat the text, which may hold secrets. */
function expected({ text, offset }: Scanner, what: string): JsonError {
  const isAtEnd = offset >= text.length;
  const message = isAtEnd ? `the file ends where ${what} is expected` : `${what} is expected`;
  return new JsonError(message, positionAt(text, offset));
}

function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
