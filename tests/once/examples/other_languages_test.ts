import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { present } from "../../support/present.ts";
import { startProgram } from "../../support/program.ts";
import {
  java,
  type Language,
  type LanguageExample,
  prepareExample,
  runExample,
} from "./language_example.ts";
import { go, goModules, goTest, mcpExamples, python, pythonPackages } from "./mcp_examples.ts";

const php: Language = { tool: ["php", "-v"], version: /PHP 8\.(\d+)/, atLeast: 1 };

const maven = ["mvn", "-q", "-B", "-ntp", "test"];
const examples: LanguageExample[] = [
  // With the standard library alone.
  { folder: "python", language: python, command: ["python3", "-m", "pytest", "-q"] },
  { folder: "go", language: go, command: goTest },
  { folder: "java", language: java, command: maven, fetches: true },
  { folder: "php", language: php, command: ["php", "login_test.php"] },
  // Helpers to copy, each with a library that is not ours.
  { folder: "pytest", ...pythonPackages },
  { folder: "gooidc", ...goModules },
  { folder: "spring", language: java, command: maven, fetches: true },
  ...mcpExamples,
];

const prepared = await Promise.all(examples.map(prepareExample));

describe("A test suite in another language", () => {
  for (const example of prepared) {
    const { folder, skip } = example;
    it(`passes with the lab of tests/examples/${folder}`, { skip }, async () => {
      const { code, output } = await runExample(example);
      assertEquals(code, 0, output);
    });
  }

  it("is shorter in Spring than with mock-oauth2-server", async () => {
    const folder = "tests/examples/spring/src/test/java/shop";
    const lines = async (file: string) =>
      (await readFile(`${folder}/${file}`, "utf8")).split("\n").length;
    assert(await lines("ShopTest.java") < await lines("before/MockOAuth2ServerTest.java"));
  });

  it("needs nothing but Java and JUnit for the helper in Java", async () => {
    const helper = "tests/examples/spring/src/test/java/shop/HallpassExtension.java";
    const imports = (await readFile(helper, "utf8")).match(/^import .*;$/gm) ?? [];
    assert(imports.length > 0);
    assertEquals(
      imports.filter((line) => !/^import (java\.|org\.junit\.jupiter\.)/.test(line)),
      [],
    );
  });

  const suite = present(prepared[0]);
  it("uses a running lab with its token", { skip: suite.skip }, async () => {
    const token = "a-token-of-32-letters-and-digits";
    const lab = await startProgram(["lab", "--port", "0", "--lab-token", token]);
    const env = { HALLPASS_URL: lab.issuer };
    const { code, output } = await runExample(suite, { ...env, HALLPASS_LAB_TOKEN: token });
    const { output: refused } = await runExample(suite, env);
    await lab.stop();
    assertEquals(code, 0, output);
    assertMatch(refused, /HTTP Error 401/);
  });
});
