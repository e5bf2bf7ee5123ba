import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import { formatDay, formatDelay } from "../../../src/server/pages/languages/phrases.tsx";
import { featureFixtures } from "../../features.ts";
import { listTexts } from "../../support/list_texts.ts";
import { everyLanguage } from "./every_language.ts";

const { en: _, ...others } = everyLanguage;

/** The texts that one part of the server has, by the language. */
interface TextsOf {
  owner: string;
  texts: Readonly<Record<string, object>>;
}

const textsOfCore: TextsOf = {
  owner: "the core",
  texts: Object.fromEntries(Object.values(everyLanguage).map(({ tag, words }) => [tag, words])),
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
const sameInEnglish: Readonly<Record<string, readonly string[] | undefined>> = {
  de: ["claims.website", "device.code", "passkeys.name", "passkeys.title"],
};

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
}

for (const { owner, texts } of allTexts) {
  for (const { tag } of Object.values(others)) {
    const translated = listTexts(texts[tag]);
    const english = new Map(listTexts(texts.en));
    describe(`The texts of ${owner} in '${tag}'`, () => {
      it("lack none, so that none is shown in English", () => {
        const known = new Set(translated.map(([path]) => path));
        const missing = [...english.keys()].filter((path) => !known.has(path));
        assertEquals(missing, [], `Add them to the file of '${tag}' next to the English one.`);
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

describe("formatDelay", () => {
  it("speaks every language", () => {
    for (const { tag } of Object.values(others)) {
      assertNotEquals(formatDelay({ tag }, 45), "in 45 seconds");
    }
  });
});

describe("formatDay", () => {
  it("writes the month as a word", () => {
    const days = Object.values(everyLanguage).map((language) => formatDay(language, "2026-11-21"));
    assertEquals(days.slice(0, 3), [
      "November 21, 2026",
      "21. November 2026",
      "21 de noviembre de 2026",
    ]);
    assert(days[3]?.includes("نوفمبر"), days[3]);
  });
});
