import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  buttonsIn,
  hasValue,
  linksIn,
  metaContent,
  readableText,
} from "../../../../src/lab/features/drill/foreign_html.ts";
import { readTags } from "../../../../src/lab/features/drill/html_tags.ts";
import { openAccountSite, siteOrigin } from "./account_site.ts";

const url = "http://localhost:3000/app/";

/** How template engines write characters, and what a browser reads. */
const written: Array<[engine: string, html: string, read: string]> = [
  ["Go's html/template", "a&#43;b/c==", "a+b/c=="],
  ["Handlebars", "a+b/c&#x3D;&#x3D;", "a+b/c=="],
  ["Mustache", "a+b&#x2F;c&#x3D;&#x3D;", "a+b/c=="],
  ["Razor", "&#x2B;&#xC7;elik", "+Çelik"],
  ["Jinja", "Pat O&#39;Brien &#34;&gt;", `Pat O'Brien ">`],
  ["Rails", "&lt;&amp;amp;&gt;", "<&amp;>"],
  ["hand", "caf&eacute;&nbsp;&euro;&copy", "café\u00a0€©"],
];

describe("V4: What a template engine escapes is read as a browser does", () => {
  for (const [engine, html, read] of written) {
    it(`of ${engine}`, () => {
      const form = `<form method="post" action="/x"><input type=hidden name=t value="${html}">`;
      const [button] = buttonsIn(`${form}<button>${html}</button></form>`, url);
      assertEquals(button?.fields, [["t", read]]);
      assertEquals(button?.text, read.replaceAll("\u00a0", " "));
      assertEquals(readableText(`<p>${html}</p>`), read.replaceAll("\u00a0", " "));
    });
  }

  it("in the URL of a link", () => {
    const [link] = linksIn('<a href="&#x2F;logout?a&#x3D;1&amp;b=2">Log <b>out</b></a> now', url);
    assertEquals(link, { href: "http://localhost:3000/logout?a=1&b=2", text: "Log out" });
  });

  const shown = {
    paragraph: "<p>Zo&#xEB; O&#39;Brien",
    field: '<input value="Zo&euml; O&apos;Brien">',
  };
  for (const [where, html] of Object.entries(shown)) {
    it(`in what a page shows: in a ${where}`, () => {
      assert(hasValue(html, "Zoë O'Brien"));
      assert(!hasValue(html, "Zoë O'Brian"));
    });
  }

  it("in the entries of a list", () => {
    const list = "<select name=s><option disabled>x<option>A&#43;<option selected value='&#x2F;'>b";
    assertEquals(buttonsIn(`<form>${list}</select><button></form>`, url)[0]?.url, `${url}?s=%2F`);
  });

  it("and in a script as it is", () => {
    assertEquals(
      readableText("<script>a&amp;b</script><title>c&amp;d</title>"),
      "a&amp;b c&d",
    );
  });

  it("so that a drill signs out with the token of a form", async () => {
    await using lab = await openAccountSite(["asks_for_form_token"]);
    const only = ["session_survives", "old_cookie"] as const;
    const { checks } = await lab.drill({ start: `${siteOrigin}/` }, only);
    assertEquals(checks.map(({ id, skipped }) => [id, skipped]), only.map((id) => [id, undefined]));
  });
});

/** What has no end, many times. */
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
  ["entities", "&amp"],
  ["comments with ends of others", "<!-- --!> "],
];

/** What has an end, many times. */
const short: Array<[what: string, part: string]> = [
  ["forms", '<form id="b" action="/b"></form>'],
  ["links", '<a href="/b">b</a>'],
  ["lists", "<form><select><option>a<option selected>b</select></form>"],
];

const readers: Array<[name: string, read: (html: string) => unknown]> = [
  ["buttonsIn", (html) => buttonsIn(html, url)],
  ["linksIn", (html) => linksIn(html, url)],
  ["metaContent", (html) => metaContent(html, "referrer")],
  ["readableText", readableText],
  ["hasValue", (html) => hasValue(html, "none")],
  ["readTags", readTags],
];

/** Longer than the time for a page of 400 kB, and shorter than that for the square of its length. */
const longest = 5000;

describe("The reader of pages of applications", () => {
  for (
    const [what, part] of [
      ...endless.map(([what, part]) => [`${what} without an end`, part] as const),
      ...short,
    ]
  ) {
    it(`takes time in proportion to their length: ${what}`, () => {
      const html = part.repeat(400_000 / part.length);
      for (const [name, read] of readers) {
        const began = performance.now();
        read(html);
        assert(performance.now() - began < longest, name);
      }
    });
  }

  const found: Array<[what: string, html: string, fields: string[]]> = [
    ["a value with brackets", '<form><input type="hidden" name="n" value="1 > 2"></form>', [
      "1 > 2",
    ]],
    ["no form in a script", '<script>"<form><input type=hidden></form>"</script>', []],
    ["no form in a comment", "<!-- <form><input type=hidden></form> -->", []],
    ["a form after one", "<!-- > --><SCRIPT>a<b</SCRIPT ><form><input type=hidden></form>", [""]],
    ["a form without an end", "<form><input type=hidden value=v>", ["v"]],
    [
      "a form that ends after what contains it",
      "<p><form></p><input type=hidden value=v></form>",
      ["v"],
    ],
    ["the first of two attributes", "<form><input type=hidden value=v VALUE=w></form>", ["v"]],
  ];
  for (const [what, html, fields] of found) {
    it(`finds ${what}`, () => {
      const values = buttonsIn(html, url).flatMap((each) => each.fields.map(([, value]) => value));
      assertEquals(values, fields);
    });
  }

  it("finds a meta by its name, whatever the order and the case of its attributes", () => {
    const read = (html: string) => metaContent(html, "referrer");
    assertEquals(read('<meta name="referrer" content="no-referrer">'), "no-referrer");
    assertEquals(read("<META content=origin Name='Referrer'>"), "origin");
    assertEquals(
      read('<meta name="x" content="a"><!-- <meta name=referrer content=b> -->'),
      undefined,
    );
  });

  it("shows what a reader sees: no head, tag or attribute", () => {
    const html = `<html><head><title>T</title></head><body a="1 > 2"><p>A &amp; B</p>3 < 4</body>`;
    assertEquals(readableText(html), "A & B 3 < 4");
  });
});
