import { assert } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { contrast } from "../../../src/server/features/brand/accent.ts";

const css = readFileSync("static/style.css", "utf8");

/** Returns a color of the style sheet in both themes. */
function color(name: string): { light: string; dark: string } {
  const [, light = "", dark = ""] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
  return { light, dark };
}

/** What must stand out against paper and card, and by how much (WCAG 2.2, 1.4.3 and 1.4.11). */
const contrasts: Array<[name: string, what: string, ratio: number]> = [
  ["ink", "text", 4.5],
  ["soft", "fine print", 4.5],
  ["accent", "links", 4.5],
  ["accent", "the ring around what has the focus", 3],
  ["edge", "the borders of fields and buttons", 3],
];

describe("The style sheet", () => {
  for (const [name, what, ratio] of contrasts) {
    it(`has enough contrast for ${what}`, () => {
      for (const background of ["paper", "card"].map(color)) {
        const { light, dark } = color(name);
        assert(contrast(light, background.light) >= ratio, `${light} on ${background.light}`);
        assert(contrast(dark, background.dark) >= ratio, `${dark} on ${background.dark}`);
      }
    });
  }
});
