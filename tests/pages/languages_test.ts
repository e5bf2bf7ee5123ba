import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { acceptedLanguages } from "../../src/server/http/accept.ts";
import { openIdScopes } from "../../src/server/model/claims.ts";
import { textIn } from "../../src/server/model/localized_text.ts";
import { formatAge, formatDay, formatDelay } from "../../src/server/pages/languages/formats.ts";
import { chooseLanguage, type LanguageTag } from "../../src/server/pages/languages/languages.ts";
import { withTexts } from "../../src/server/pages/languages/texts.ts";
import { isObject } from "../../src/server/util/text/json.ts";
import { featureFixtures } from "../features.ts";
import { languages } from "../support/languages.ts";

const { en, ...others } = languages;

/** The texts that one part of the server has, by the language. */
interface TextsOf {
  owner: string;
  texts: Readonly<Record<string, object>>;
}

const textsOfCore: TextsOf = {
  owner: "the core",
  texts: Object.fromEntries(Object.values(languages).map(({ tag, words }) => [tag, words])),
};

const textsOfFeatures: readonly TextsOf[] = await Promise.all(
  featureFixtures.map(
    async ({ name: owner, texts: loaders = { en: () => Promise.resolve({}) } }) => {
      const loaded = Object.entries(loaders).map(async ([tag, load]) =>
        [tag, await load()] as const
      );
      return { owner, texts: Object.fromEntries(await Promise.all(loaded)) };
    },
  ),
);

const allTexts = [textsOfCore, ...textsOfFeatures];

/** Texts that are the same in another language. */
const sameInEnglish: Partial<Record<LanguageTag, readonly string[]>> = {
  de: ["claims.website", "device.code"],
};

/** Texts that pages look up by a name that comes from elsewhere. */
const lookedUp = ["scopes", "claims", "changePassword.problems", "error.kinds"];

/** Lists every text with its path: `["signIn.username", "User name"]`. */
function listTexts(texts: object = {}, prefix = ""): Array<[path: string, text: string]> {
  return Object.entries(texts).flatMap(([name, entry]): Array<[string, string]> =>
    isObject(entry) ? listTexts(entry, `${prefix}${name}.`) : [[`${prefix}${name}`, String(entry)]]
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
}

async function readSources(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((name) => /\.tsx?$/.test(name) && !name.includes("languages/"));
  return (await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

describe("The texts in English", () => {
  it("are all used", async () => {
    const sources = await readSources("src");
    const unused = allTexts.flatMap(({ texts }) => listTexts(texts.en)).map(([path]) => path)
      .filter((path) => !lookedUp.some((prefix) => path.startsWith(`${prefix}.`)))
      .filter((path) => !new RegExp(`\\b${path.split(".").at(-1)}\\b`).test(sources));
    assertEquals(unused, []);
  });

  it("have a name of their own: no feature replaces one of the core or of another feature", () => {
    const names = allTexts.flatMap(({ texts }) => Object.keys(texts.en ?? {}));
    assertEquals(names.filter((name, at) => names.indexOf(name) !== at), []);
  });

  it("describe the scopes of OpenID Connect as the configuration does", () => {
    assertEquals({ ...en.words.scopes }, { ...openIdScopes });
  });
});

for (const { owner, texts } of allTexts) {
  for (const { tag } of Object.values(others)) {
    const translated = listTexts(texts[tag]);
    const english = new Map(listTexts(texts.en));
    describe(`The texts of ${owner} in '${tag}'`, () => {
      it("lack none, so that none is shown in English", () => {
        const known = new Set(translated.map(([path]) => path));
        assertEquals([...english.keys()].filter((path) => !known.has(path)), []);
      });

      it("have the placeholders of the English ones", () => {
        const expected = translated.map((
          [path],
        ) => [path, ...placeholders(english.get(path) ?? "")]);
        assertEquals(translated.map(([path, text]) => [path, ...placeholders(text)]), expected);
      });

      it("are translated", () => {
        const same = translated.filter(([path, text]) => text === english.get(path));
        const allowed = sameInEnglish[tag]?.filter((path) => english.has(path)) ?? [];
        assertEquals(same.map(([path]) => path).toSorted(), allowed.toSorted());
      });

      it("end as the English ones do, with a period or without", () => {
        for (const [path, text] of translated) {
          assertEquals(text.endsWith("."), english.get(path)?.endsWith("."), path);
        }
      });
    });
  }
}

describe("The texts of a feature", () => {
  const load = {
    en: () => Promise.resolve({ page: { title: "Pair", lead: "Pair it" }, done: "Paired" }),
    de: () => Promise.resolve({ page: { title: "Koppeln" } }),
  };

  it("are beside those of the core", async () => {
    const { words } = await withTexts(languages.de, load);
    assertEquals([words.common.cancel, words.page.title], ["Abbrechen", "Koppeln"]);
  });

  it("are in English where a language lacks them", async () => {
    const { words: { page, done } } = await withTexts(languages.de, load);
    assertEquals([page.lead, done], ["Pair it", "Paired"]);
    assertEquals((await withTexts(languages.ar, load)).words.page, {
      title: "Pair",
      lead: "Pair it",
    });
  });
});

describe("chooseLanguage", () => {
  const all = Object.values(languages).map(({ tag }) => tag);
  const cases: Array<[preferred: string[], available: LanguageTag[], chosen: LanguageTag]> = [
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
      assertEquals(chooseLanguage(preferred, available), chosen);
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
      assertEquals(acceptedLanguages(new Request("https://x.example", { headers })), expected);
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

  it("speaks every language", () => {
    for (const { tag } of Object.values(others)) {
      assertNotEquals(formatDelay({ tag }, 45), "in 45 seconds");
    }
  });
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

describe("formatDay", () => {
  it("writes the month as a word", () => {
    const days = Object.values(languages).map((language) => formatDay(language, "2026-11-21"));
    assertEquals(days.slice(0, 3), [
      "November 21, 2026",
      "21. November 2026",
      "21 de noviembre de 2026",
    ]);
    assert(days[3]?.includes("نوفمبر"), days[3]);
  });
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
