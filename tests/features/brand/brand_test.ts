import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createServer } from "../../../src/server/features.ts";
import {
  accentProblem,
  accentStyle,
  contrast,
  darkBackground,
  lightBackground,
} from "../../../src/server/features/brand/accent.ts";
import type { BrandConfig } from "../../../src/server/features/brand/config.ts";
import { everyPage } from "../../support/every_page.ts";
import { openKit, openStrictKit } from "../../support/kit.ts";
import { firstMatch } from "../../support/present.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const png = "data:image/png;base64,iVBORw0KGgo=";

const brand: BrandConfig = {
  name: "Acme <b>ID</b>",
  logo: svg,
  accent: "#7c3aed",
  support: "mailto:help@acme.example",
  privacy: "https://acme.example/privacy",
  terms: "https://acme.example/terms",
  stylesheet: ".card { border-radius: 0 }",
};

/** The pages that a lab shows under its own name. */
const pagesOfLab = ["home"];

describe("A brand", () => {
  it("is on every page: name, logo, style sheet and links", async () => {
    const pages = Object.entries(await everyPage("en", openKit({ brand })));
    for (const [name, { html }] of pages) {
      assertStringIncludes(html, "<bdi>Acme &lt;b>ID&lt;/b></bdi>", name);
      assertMatch(html, /<link rel="stylesheet" href="\/static\/brand\.\w+\.css"/, name);
      assertMatch(html, /<img src="\/static\/logo\.\w+\.svg"/, name);
      for (const link of [brand.support, brand.privacy, brand.terms]) {
        assertStringIncludes(html, `href="${link}"`, name);
      }
      if (!pagesOfLab.includes(name)) assertNotMatch(html, /Hallpass/, name);
    }
  });

  it("has a style sheet that sets the accent, then what the operator wrote", async () => {
    const kit = openStrictKit({ brand });
    const { html } = await kit.browser().open(`${kit.issuer}/`);
    const response = await kit.get(firstMatch(html, /href="(\/static\/brand[^"]*)"/));
    assertEquals(response.headers.get("Content-Type"), "text/css; charset=utf-8");
    assertMatch(response.headers.get("Cache-Control") ?? "", /immutable/);
    assertMatch(
      await response.text(),
      /--accent: light-dark\(#7c3aed, .*\.card { border-radius: 0 }/s,
    );
  });

  it("has a logo that can do nothing when it is opened by itself", async () => {
    const kit = openStrictKit({ brand });
    const { html } = await kit.browser().open(`${kit.issuer}/`);
    const response = await kit.get(firstMatch(html, /src="(\/static\/logo[^"]*)"/));
    assertEquals(await response.text(), svg);
    assertMatch(
      response.headers.get("Content-Security-Policy") ?? "",
      /default-src 'none'.*sandbox/,
    );
    assertEquals(
      (await kit.get("/favicon.ico")).headers.get("Location"),
      firstMatch(html, /src="([^"]*)/),
    );
  });

  it("may have a logo of bytes", async () => {
    const kit = openStrictKit({ brand: { logo: png } });
    const { html } = await kit.browser().open(`${kit.issuer}/`);
    const response = await kit.get(firstMatch(html, /src="(\/static\/logo[^"]*)"/));
    assertEquals(response.headers.get("Content-Type"), "image/png");
    assertEquals(
      new Uint8Array(await response.arrayBuffer()).slice(1, 4),
      new TextEncoder().encode("PNG"),
    );
  });

  it("changes the names of its files with their content", async () => {
    const names = ["#7c3aed", "#7c3aee"].map(async (accent) => {
      const kit = openStrictKit({ brand: { accent } });
      const { html } = await kit.browser().open(`${kit.issuer}/`);
      return firstMatch(html, /href="(\/static\/brand[^"]*)"/);
    });
    assertEquals(new Set(await Promise.all(names)).size, 2);
  });
});

describe("The home page of a server", () => {
  it("shows neither a slogan nor endpoints", async () => {
    const kit = openStrictKit({ brand: { name: "Acme" } });
    const { html } = await kit.browser().open(`${kit.issuer}/`);
    assertNotMatch(html, /OAuth|endpoint|Hallpass/i);
  });
});

describe("The check of a brand", () => {
  const refused: Array<[brand: Record<string, unknown>, problem: RegExp]> = [
    [{ accent: "teal" }, /brand\.accent must be a color as '#rrggbb'/],
    [{ accent: "#fc0" }, /brand\.accent must be a color as '#rrggbb'/],
    [
      { accent: "#ffcc00" },
      /brand\.accent is '#ffcc00', whose contrast with the page is 1\.3:1; .* '#\w{6}' has/,
    ],
    [{ logo: "logo.svg" }, /brand\.logo must be SVG, or a data: URL/],
    [{ logo: "<p>no image</p>" }, /brand\.logo must be SVG, or a data: URL/],
    [{ logo: "data:text/html,<p>" }, /brand\.logo must be SVG, or a data: URL/],
    [{ logo: "data:image/png;base64,%%%" }, /brand\.logo must be SVG, or a data: URL/],
    [{ stylesheet: "brand.css" }, /brand\.stylesheet must be CSS/],
    [{ stylesheet: `a{}${" ".repeat(600_000)}` }, /brand\.stylesheet has more than 524288 bytes/],
    [
      { support: "javascript:alert(1)" },
      /brand\.support must be a URL without a fragment, or a mailto/,
    ],
    [{ privacy: "mailto:a@b.example" }, /brand\.privacy must be a URL/],
    [{ name: "" }, /brand\.name must not be empty/],
    [{ name: "a\u202eb" }, /brand\.name has control characters or invisible ones/],
    [{ color: "#000000" }, /brand\.color is not a setting/],
  ];
  for (const [given, problem] of refused) {
    it(`reports ${JSON.stringify(given).slice(0, 60)}`, () => {
      let message = "";
      try {
        createServer({ issuer: "https://id.example", brand: given as BrandConfig });
      } catch (cause) {
        message = String(cause);
      }
      assertMatch(message, problem);
    });
  }
});

describe("The accent", () => {
  it("is measured against the backgrounds of the style sheet with the least contrast", async () => {
    const css = await readFile("static/style.css", "utf8");
    const surfaces = ["paper", "card", "code"].map((name) =>
      new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
    );
    const least = (colors: Array<string | undefined>, accent: string) =>
      colors.toSorted((a = "", b = "") => contrast(a, accent) - contrast(b, accent))[0];
    assertEquals(least(surfaces.map(([, light]) => light), "#000000"), lightBackground);
    assertEquals(least(surfaces.map(([, , dark]) => dark), "#ffffff"), darkBackground);
  });

  it("takes our own color", () => {
    assertEquals(accentProblem("#0f766e"), undefined);
  });

  for (const accent of ["000000", "0f766e", "7c3aed", "b91c1c", "1d4ed8"]) {
    it(`is readable in both themes, and so is what stands on it: ${accent}`, () => {
      const style = accentStyle(`#${accent}`);
      const [, light = "", dark = ""] = /--accent: light-dark\((\S+), (\S+)\)/.exec(style) ?? [];
      const [, onLight = "", onDark = ""] = /--on-accent: light-dark\((\S+), (\S+)\)/.exec(style) ??
        [];
      const ratios = [
        contrast(light, lightBackground),
        contrast(dark, darkBackground),
        contrast(light, onLight),
        contrast(dark, onDark),
      ];
      assert(ratios.every((ratio) => ratio >= 4.5), `${style} ${ratios}`);
    });
  }
});
