import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findForm, textOf } from "../../../src/lab/util/html_forms.ts";

const url = "http://localhost:3000/app/";

const found: Array<[what: string, html: string, hidden: string[] | undefined]> = [
  [
    "its hidden fields",
    '<form id="a" action="/x"><input type="hidden" name="n" value="v"/></form>',
    [
      "v",
    ],
  ],
  [
    "a value with brackets",
    '<form id="a" action="/x"><input value="1 > 2" type="hidden" name="n"/></form>',
    ["1 > 2"],
  ],
  ["attributes in another order", '<form method="post" action="/x" id="a"></form>', []],
  ["none of another form", '<form id="b"></form><form id="a" action="/x"></form>', []],
  ["no other element", '<p id="a"></p><form id="b" action="/x"></form>', undefined],
  ["no form without an action", '<form id="a"></form>', undefined],
];

describe("The forms of our pages", () => {
  for (const [what, html, hidden] of found) {
    it(`are found by id: ${what}`, () => {
      const form = findForm(html, "a", url);
      assertEquals(form?.hidden.map(([, value]) => value), hidden);
      if (hidden) assertEquals(form?.action, "http://localhost:3000/x");
    });
  }
});

describe("The text of our pages", () => {
  it("is what a reader sees: no head, tag or attribute", () => {
    const html =
      `<!DOCTYPE html><html><head><title>T</title></head><body a="1 > 2"><p>A &amp; B</p>3 &lt; 4</body>`;
    assertEquals(textOf(html), "A & B 3 < 4");
  });
});
