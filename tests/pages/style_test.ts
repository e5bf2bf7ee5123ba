import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

const css = readFileSync("static/style.css", "utf8");

describe("The style sheet", () => {
  it("names no side of the page: Arabic is read from right to left", () => {
    const sides =
      /(?:margin|padding|border)-(?:left|right)|text-align: (?:left|right)|^\s*(?:left|right):/m;
    assertEquals(sides.exec(css)?.[0], undefined);
  });
});
