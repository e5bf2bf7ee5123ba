import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { JsonError, readJsonPositions } from "../../../src/program/configuration/json_positions.ts";

const text = `{
  "port": 9000,
  "clients": [
    { "id": "shop", "redirectUris": ["a", "b"] },
    {}, [true, null, -1.5e3]
  ],
  "scopes": { "read.all": "Read \\"all\\"" }, "scopes": {}
}
`;

/** The path of a member or an entry, its line and its column. */
const places: Array<[path: string, line: number, column: number]> = [
  ["port", 2, 3],
  ["clients", 3, 3],
  ["clients[0]", 4, 5],
  ["clients[0].id", 4, 7],
  ["clients[0].redirectUris[1]", 4, 43],
  ["clients[1]", 5, 5],
  ["clients[2][2]", 5, 22],
  ["scopes", 7, 45],
  ["scopes.read.all", 7, 15],
];

/** A text that is not JSON, where it ends to be JSON, and what is expected there. */
const malformed: Array<[text: string, line: number, column: number, message: string]> = [
  ["", 1, 1, "the file ends where a value is expected"],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or } is expected"],
  ['{\r\n  "a": [1 2]\r\n}', 2, 11, "a comma or ] is expected"],
  ['{ "a" 1 }', 1, 7, "a colon is expected"],
  ["{ a: 1 }", 1, 3, "a name in double quotes is expected"],
  ["{ 'a': 1 }", 1, 3, "a name in double quotes is expected"],
  ['{ "a": 1, }', 1, 11, "a name in double quotes is expected"],
  ["[1, ]", 1, 5, "a value is expected"],
  ["[01]", 1, 2, "a value is expected"],
  ["[tru]", 1, 2, "a value is expected"],
  ["// why\n{}", 1, 1, "a value is expected"],
  ['["a\nb"]', 1, 2, "a string that is closed on its line and has valid escapes is expected"],
  ['["\\x"]', 1, 2, "a string that is closed on its line and has valid escapes is expected"],
  ["{} {}", 1, 4, "the end of the file is expected"],
  ['{ "a": {', 1, 9, "the file ends where a name in double quotes is expected"],
];

/** Returns what is wrong with a text, and where. */
function errorIn(text: string): Pick<JsonError, "message" | "position"> | undefined {
  try {
    readJsonPositions(text);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    return { message: cause.message, position: cause.position };
  }
}

describe("readJsonPositions", () => {
  it("finds members and entries by their path", () => {
    const positions = readJsonPositions(text);
    for (const [path, line, column] of places) {
      assertEquals(positions.get(path), { line, column }, path);
    }
    assertEquals(positions.get("clients[3]"), undefined);
  });

  it("accepts what JSON.parse accepts", () => {
    for (
      const each of [text, "1", ' "a" ', "[]", "{}", "[[{}]]", "\t[1E+2]\r\n", '"\\u00e9\u2028"']
    ) {
      JSON.parse(each);
      readJsonPositions(each);
    }
  });

  it("rejects what JSON.parse rejects, and names what is expected and where", () => {
    for (const [each, line, column, message] of malformed) {
      assertThrows(() => JSON.parse(each), SyntaxError);
      assertEquals(errorIn(each), { message, position: { line, column } }, each);
    }
  });
});
