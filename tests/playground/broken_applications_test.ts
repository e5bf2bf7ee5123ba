import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { brokenApplications, sourceOf } from "../../src/playground/broken_applications.ts";
import { reportedOf } from "../support/playground_application.ts";

describe("The application of the playground", () => {
  it("signs a user in, and the lab has nothing against it", async () => {
    assertEquals(await reportedOf(sourceOf("correct")), { text: "Hello, Alice Adler!", ids: [] });
  });

  for (const { name, title, finding, from } of brokenApplications) {
    it(`is reported when it is broken: ${title}`, async () => {
      assertEquals(sourceOf("correct").split(from.join("\n")).length, 2);
      const { ids } = await reportedOf(sourceOf(name));
      assert(ids.includes(finding), ids.join());
    });
  }
});
