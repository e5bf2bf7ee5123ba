import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { present } from "../../support/present.ts";
import { startProgram } from "../../support/program.ts";
import { prepareExample, runExample } from "./language_example.ts";
import { testedExamples } from "./languages.ts";

const prepared = await Promise.all(testedExamples.map(prepareExample));

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
