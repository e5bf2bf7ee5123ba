import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { brokenPromises, unnamed } from "../scripts/api.ts";
import { internalTypes } from "../scripts/declarations.ts";

const promised = [
  "hallpass/testing interface MintOptions",
  "types interface MintOptions.sub: string",
  "types interface TestLab.mint(options: MintOptions): Promise<MintedTokens>",
  'configuration Config.alg.enum: "ES256"',
  'configuration Config.required: "issuer"',
  'http /tokens.post.operationId: "mint"',
];

const broken: Array<[what: string, now: (line: string) => string[], lines: string[]]> = [
  [
    "an export that is gone",
    (line) => line.startsWith("hallpass/testing ") ? [] : [line],
    ["hallpass/testing interface MintOptions"],
  ],
  [
    "a member with another type",
    (line) => [line.replace("sub: string", "sub: User")],
    ["types interface MintOptions.sub: string", "types interface MintOptions.sub: User"],
  ],
  [
    "a member that callers must add",
    (line) => [line, "types interface MintOptions.scope: string"],
    ["types interface MintOptions.scope: string"],
  ],
  [
    "a setting that becomes required",
    (line) => [line, 'configuration Config.required: "alg"'],
    ['configuration Config.required: "alg"'],
  ],
  [
    "a value that a setting no longer takes",
    (line) => line.endsWith('"ES256"') ? [] : [line],
    ['configuration Config.alg.enum: "ES256"'],
  ],
  [
    "an operation that is elsewhere",
    (line) => [line.replace("/tokens", "/mint")],
    ['http /tokens.post.operationId: "mint"'],
  ],
];

/** What breaks nobody. */
const added = [
  "hallpass/testing interface Other",
  "types interface MintOptions.scope?: string",
  "types interface Other.name: string",
  "types interface TestLab.close(): Promise<void>",
  "types interface OtherOptions.name: string",
  'configuration Config.alg.enum: "EdDSA"',
  'configuration Other.required: "name"',
];

describe("deno task api", () => {
  for (const [what, now, lines] of broken) {
    it(`finds ${what}`, () => {
      const api = [...new Set(promised.flatMap(now))];
      assertEquals(brokenPromises(promised, api), lines);
    });
  }

  it("takes what was added for no break", () => {
    assertEquals(brokenPromises(promised, [...promised, ...added]), []);
  });

  it("wants each break in the newest entry of the changelog", () => {
    const lines = [
      "types interface TestLab.mint(options: MintOptions): Promise<MintedTokens>",
      'http /tokens.post.operationId: "mint"',
    ];
    const changelogOf = (newest: string) =>
      `# Changelog\n\n## 0.2.0 - unreleased\n\n${newest}\n\n## 0.1.0\n\n- Breaking: \`tokens\`.\n`;
    assertEquals(unnamed(lines, changelogOf("- `mint` and `tokens` are faster.")), lines);
    assertEquals(unnamed(lines, changelogOf("- Breaking: `MintOptions` and `hallpass`.")), lines);
    assertEquals(unnamed(lines, changelogOf("- Breaking: `lab.mint()`.")), lines.slice(1));
    assertEquals(unnamed(lines, changelogOf("- Breaking: `lab.mint()`, `POST /tokens`.")), []);
  });
});

describe("The types of the package", () => {
  it("are those that an entry point exports: deno task build names all others", () => {
    const types = "interface Lab {\n\tname: Name;\n}\ntype Name = keyof typeof names;\n" +
      "declare const names: { a: Internal };\ninterface Internal {\n}\nexport type { Lab };\n";
    const entries = 'export { Lab, Name } from "./types.js";\n';
    assertEquals(internalTypes(types, entries), ["names", "Internal"]);
  });
});
