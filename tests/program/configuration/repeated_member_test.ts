import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findRepeatedMember } from "../../../src/program/configuration/repeated_member.ts";
import { runCommandLine } from "../../support/command_line.ts";

/** A JSON text, and the member that it has twice. */
const texts: Array<[json: string, path: string | undefined]> = [
  ["{}", undefined],
  ['"port"', undefined],
  ['{ "port": "port", "host": "port" }', undefined],
  ['{ "a": { "id": 1 }, "b": { "id": 2 }, "c": [{ "id": 3 }, { "id": 4 }] }', undefined],
  ['["id", "id", ["id"], { "a": ["id", "id"], "id": 1 }]', undefined],
  ['{ "a": "}, \\"a\\": ", "b": "\\\\" }', undefined],
  ['{ "port": 1, "port": 1 }', "port"],
  ['{ "clients": [{ "id": "a" }, { "id": "b", "name": {}, "id": "c" }] }', "clients[1].id"],
  ['{ "a": [[{ "b": 1 }], [true, { "b": 1, "\\u0062": 2 }]] }', "a[1][1].b"],
  ['{ "scopes": { "read.all": {}, "write": [], "read.all": {} } }', "scopes.read.all"],
  ['{ "a": { "b": 1 }, "c": 2, "a": 3 }', "a"],
];

describe("findRepeatedMember", () => {
  for (const [json, path] of texts) {
    it(`finds ${path ?? "none"} in ${json}`, () => assertEquals(findRepeatedMember(json), path));
  }
});

describe("A configuration in JSON", () => {
  it("is refused if it has a member twice, with the path", async () => {
    const text = '{ "clients": [{ "id": "shop", "secret": "hidden", "id": "wiki" }] }';
    const { code, output } = await runCommandLine(["check"], { HALLPASS_CONFIG_JSON: text });
    const expected = [2, "The configuration in HALLPASS_CONFIG_JSON has 'clients[0].id' twice.\n"];
    assertEquals([code, output], expected);
  });

  it("is refused if it is malformed, without its text, which may hold secrets", async () => {
    for (const end of ["}", '"port": 1 }', "hidden }", "", ", }"]) {
      const text = `{ "secret": "hidden" ${end}${end === "}" ? "}" : ""}`;
      const { code, output } = await runCommandLine(["check"], { HALLPASS_CONFIG_JSON: text });
      assertEquals([code, output.includes("hidden")], [2, false], output);
      assertEquals(
        output.startsWith("The configuration in HALLPASS_CONFIG_JSON is not JSON"),
        true,
      );
    }
  });
});
