import { assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readDeclarations, readSettingTypes } from "../../../scripts/schema/read_settings.ts";

describe("deno task generate", () => {
  it("names a type that no file exports", async () => {
    const declarations = await readDeclarations(["src/server/model/signing.ts"]);
    const read = () => readSettingTypes(declarations, ["Nothing"]);
    assertThrows(read, Error, "No file exports the type Nothing.");
  });
});
