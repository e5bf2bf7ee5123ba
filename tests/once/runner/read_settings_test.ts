import { assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { readSettingTypes } from "../../../scripts/schema/read_settings.ts";

describe("deno task generate", () => {
  it("names the files to edit for a type that is declared in none of the given ones", async () => {
    const read = () => readSettingTypes(["src/server/model/signing.ts"], ["Nothing"]);
    const error = await assertRejects(read, Error, "The type Nothing is not declared");
    for (const file of ["scripts/generate_schema.ts", "scripts/schema/api_interfaces.ts"]) {
      assertStringIncludes(error.message, file);
    }
  });
});
