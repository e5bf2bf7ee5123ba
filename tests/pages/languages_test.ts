import { assertEquals } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { acceptedLanguages } from "../../src/server/http/accept.ts";
import { defaultScopes } from "../../src/server/model/claims.ts";
import { chooseLanguage, english, withTexts } from "../../src/server/pages/languages/languages.ts";
import { formatAge, formatDelay } from "../../src/server/pages/languages/phrases.tsx";
import { textIn } from "../../src/server/util/text/user_text.ts";
import { featureFixtures } from "../features.ts";
import { listTexts } from "../support/list_texts.ts";
import { hasFeature } from "../support/where_feature.ts";

const { words } = await english.load();

/** The texts of the core and of each feature, in English. */
const allTexts: readonly object[] = [
  words,
  ...await Promise.all(featureFixtures.map(({ texts }) => texts?.en() ?? {})),
];

/** Texts that pages look up by a name that comes from elsewhere. */
const lookedUp = ["scopes", "claims", "changePassword.problems", "error.kinds"];

/** Texts of the core that only features show, if each of these features has been deleted. */
const orphaned = ["account pages", "logout"].some((name) => hasFeature(name))
  ? []
  : ["common.signOutEffect"];

async function readSources(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((name) => /\.tsx?$/.test(name) && !name.includes("languages/"));
  return (await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

describe("The texts in English", () => {
  it("are all used", async () => {
    const sources = await readSources("src");
    const unused = allTexts.flatMap((texts) => listTexts(texts)).map(([path]) => path)
      .filter((path) => !lookedUp.some((prefix) => path.startsWith(`${prefix}.`)))
      .filter((path) => !orphaned.includes(path))
      .filter((path) => !new RegExp(`\\b${path.split(".").at(-1)}\\b`).test(sources));
    assertEquals(unused, []);
  });

  it("have a name of their own: no feature replaces one of the core or of another feature", () => {
    const names = allTexts.flatMap((texts) => Object.keys(texts));
    assertEquals(names.filter((name, at) => names.indexOf(name) !== at), []);
  });

  it("describe the scopes of OpenID Connect as the configuration does", () => {
    assertEquals({ ...words.scopes }, { ...defaultScopes });
  });
});

describe("The texts of a feature", () => {
  const load = {
    en: () => Promise.resolve({ page: { title: "Pair", lead: "Pair it" }, done: "Paired" }),
    de: () => Promise.resolve({ page: { title: "Koppeln" } }),
  };

  const german = { tag: "de", direction: "ltr", words } as const;
  const arabic = { ...german, tag: "ar" };

  it("are beside those of the core", async () => {
    const { words } = await withTexts(german, load);
    assertEquals([words.common.cancel, words.page.title], ["Cancel", "Koppeln"]);
  });

  it("are in English where a language lacks them", async () => {
    const { words: { page, done } } = await withTexts(german, load);
    assertEquals([page.lead, done], ["Pair it", "Paired"]);
    assertEquals((await withTexts(arabic, load)).words.page, { title: "Pair", lead: "Pair it" });
  });
});

describe("chooseLanguage", () => {
  const all = ["en", "de", "es", "ar"];
  const cases: Array<[preferred: string[], available: string[], chosen: string]> = [
    [[], all, "en"],
    [["fr"], all, "en"],
    [["fr", "es"], all, "es"],
    [["de-AT"], all, "de"],
    [["AR-eg"], all, "ar"],
    [["*"], all, "en"],
    [["es", "de"], ["de", "en"], "de"],
    [["fr"], ["de", "en"], "de"],
    [["de"], [], "en"],
    [["__proto__", "constructor"], all, "en"],
  ];
  for (const [preferred, available, chosen] of cases) {
    it(`chooses ${chosen} of '${available}' for '${preferred}'`, () => {
      const languages = available.map((tag) => ({ ...english, tag }));
      assertEquals(chooseLanguage(preferred, languages).tag, chosen);
    });
  }
});

describe("acceptedLanguages (RFC 9110, section 12.5.4)", () => {
  const cases: Array<[header: string | undefined, languages: string[]]> = [
    [undefined, [""]],
    ["de", ["de"]],
    ["en;q=0.5, de-AT, de;q=0.9", ["de-AT", "de", "en"]],
    ["de;q=0, en", ["en"]],
    ["es; q=0.8, ar ;q=0.9", ["ar", "es"]],
  ];
  for (const [header, expected] of cases) {
    it(`reads '${header}'`, () => {
      const headers = header === undefined ? {} : { "Accept-Language": header };
      assertEquals(acceptedLanguages(new Headers(headers)), expected);
    });
  }
});

describe("formatDelay", () => {
  const cases: Array<[seconds: number, text: string]> = [
    [1, "in 1 second"],
    [45, "in 45 seconds"],
    [119, "in 119 seconds"],
    [121, "in 3 minutes"],
    [2 * 3600, "in 2 hours"],
  ];
  for (const [seconds, text] of cases) {
    it(`formats ${seconds} seconds as '${text}'`, () => {
      assertEquals(formatDelay({ tag: "en" }, seconds), text);
    });
  }
});

describe("formatAge", () => {
  const cases: Array<[seconds: number, text: string]> = [
    [0, "now"],
    [1, "1 second ago"],
    [59, "59 seconds ago"],
    [119, "1 minute ago"],
    [3600, "1 hour ago"],
    [47 * 3600, "47 hours ago"],
    [50 * 3600, "2 days ago"],
    [400 * 86_400, "400 days ago"],
  ];
  for (const [seconds, text] of cases) {
    it(`formats ${seconds} seconds as '${text}'`, () => {
      assertEquals(formatAge({ tag: "en" }, seconds), text);
    });
  }
});

describe("textIn", () => {
  it("returns a text in its language, or the first one", () => {
    const text = { en: "See your groups", de: "Ihre Gruppen sehen" };
    assertEquals(["en", "de", "es", "toString"].map((tag) => textIn(tag, text)), [
      "See your groups",
      "Ihre Gruppen sehen",
      "See your groups",
      "See your groups",
    ]);
    assertEquals(textIn("de", "One for all"), "One for all");
    assertEquals(textIn("de", {}), "");
  });
});
