import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  buttonsIn,
  findForm,
  linksIn,
  metaContent,
  textOf,
} from "../../../src/lab/util/html_forms.ts";
import { type ReadableText, readTags } from "../../../src/lab/util/html_tags.ts";

const url = "http://localhost:3000/app/";

/** A text that counts how many of its characters are read. */
function countingText(text: string): ReadableText & { count: () => number } {
  let read = 0;
  return {
    length: text.length,
    charAt(at) {
      read++;
      return text.charAt(at);
    },
    slice(start, end) {
      const part = text.slice(start, end);
      read += part.length;
      return part;
    },
    includes(part) {
      read += text.length;
      return text.includes(part);
    },
    count: () => read,
  };
}

/** Pages that have something without an end, many times. */
const endless: Array<[what: string, part: string]> = [
  ["forms", '<form id="a" action="/b">'],
  ["forms of POST", "<form method=post>"],
  ["links", '<a href="/b">'],
  ["tags", "<form "],
  ["brackets", "<"],
  ["inputs", '<form><input type="hidden" name="a" value="b'],
  ["quotes", `<form action="a' `],
  ["comments", "<!-- "],
  ["scripts", "<script>"],
  ["heads", "<head>"],
  ["spaces in tags", `<form ${" ".repeat(50)}`],
  ["attributes", "<form> <input a a a a a a>"],
  ["metas", "<meta name=referrer "],
];

const readers: Array<[name: string, read: (html: ReadableText) => unknown]> = [
  ["findForm", (html) => findForm(html, "a", url)],
  ["buttonsIn", (html) => buttonsIn(html, url)],
  ["linksIn", (html) => linksIn(html, url)],
  ["metaContent", (html) => metaContent(html, "referrer")],
  ["readTags", readTags],
];

describe("The forms of a page", () => {
  for (const [what, part] of endless) {
    it(`take work in proportion to its length: ${what} without an end`, () => {
      for (const [name, read] of readers) {
        const [short, long] = [500, 2000].map((times) => {
          const html = countingText(part.repeat(times));
          read(html);
          return html.count();
        });
        assert((long ?? 0) <= 4.1 * (short ?? 0), `${name}: ${short} and ${long} characters`);
        assert((long ?? 0) <= 8 * 2000 * part.length, `${name}: ${long} characters`);
      }
    });
  }

  const found: Array<[what: string, html: string, hidden: string[] | undefined]> = [
    ["its hidden fields", '<form id="a" action="/x"><input type=hidden name=n value=v></form>', [
      "v",
    ]],
    [
      "a value with brackets",
      '<form id="a" action="/x"><input type="hidden" name="n" value="1 > 2"></form>',
      ["1 > 2"],
    ],
    ["attributes in another order", '<form action="/x" id="a"></form>', []],
    ["no form in a script", "<script>\"<form id='a' action=/x></form>\"</script>", undefined],
    ["no form in a comment", '<!-- <form id="a" action="/x"></form> -->', undefined],
    ["a form after one", '<!-- > --><SCRIPT>a<b</SCRIPT ><form id="a" action="/x"></form>', []],
    ["no form without an end", '<form id="a" action="/x">', undefined],
    ["no form without an action", '<form id="a"></form>', undefined],
  ];
  for (const [what, html, hidden] of found) {
    it(`are found by id: ${what}`, () => {
      const form = findForm(html, "a", url);
      assertEquals(form?.hidden.map(([, value]) => value), hidden);
      if (hidden) assertEquals(form?.action, "http://localhost:3000/x");
    });
  }
});

describe("The meta of a page", () => {
  it("is found by its name, whatever the order and the case of its attributes", () => {
    const read = (html: string) => metaContent(html, "referrer");
    assertEquals(read('<meta name="referrer" content="no-referrer">'), "no-referrer");
    assertEquals(read("<META content=origin Name='Referrer'>"), "origin");
    assertEquals(
      read('<meta name="x" content="a"><!-- <meta name=referrer content=b> -->'),
      undefined,
    );
  });
});

describe("The text of a page", () => {
  it("is what a reader sees: no head, tag or attribute", () => {
    const html = `<html><head><title>T</title></head><body a="1 > 2"><p>A &amp; B</p>3 < 4</body>`;
    assertEquals(textOf(html), "A & B 3 < 4");
  });
});
