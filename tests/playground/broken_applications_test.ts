import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  brokenApplications,
  mistakeIn,
  sourceOf,
} from "../../src/playground/broken_applications.ts";
import { reportedOf } from "../support/playground_application.ts";

describe("The application of the playground", () => {
  it("signs a user in, and the lab has nothing against it", async () => {
    assertEquals(await reportedOf(sourceOf("correct")), { text: "Hello, Alice Adler!", ids: [] });
  });

  it("has no line to mark", () => assertEquals(mistakeIn("correct"), undefined));

  for (const { name, title, finding, from, to } of brokenApplications) {
    it(`has its mistake marked: ${title}`, () => {
      const { line = 0, count = 0 } = mistakeIn(name) ?? {};
      const marked = sourceOf(name).split("\n").slice(line - 1, line - 1 + count);
      assertEquals(marked.filter((each) => to.includes(each) && !from.includes(each)), marked);
      assert(marked.length > 0);
    });

    it(`is reported when it is broken: ${title}`, async () => {
      assertEquals(sourceOf("correct").split(from.join("\n")).length, 2);
      const { ids } = await reportedOf(sourceOf(name));
      assert(ids.includes(finding), ids.join());
    });
  }
});
