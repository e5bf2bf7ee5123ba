import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { misspelledVariables } from "../../../src/program/operate/misspelled_variables.ts";

describe("misspelledVariables", () => {
  const misspelled: Array<[name: string, meant: string]> = [
    ["HALLPASS_SECERT", "HALLPASS_SECRET"],
    ["HALPASS_SECRET", "HALLPASS_SECRET"],
    ["HALLPASS_CONFG", "HALLPASS_CONFIG"],
    ["HALLPASS_CONFIG_JSN", "HALLPASS_CONFIG_JSON"],
    ["hallpass_secret", "HALLPASS_SECRET"],
  ];
  for (const [name, meant] of misspelled) {
    it(`names ${name}`, () => {
      assertEquals(misspelledVariables({ [name]: "x" }, []), [
        `The environment variable ${name} is ignored. Did you mean ${meant}?`,
      ]);
    });
  }

  const others = [
    "HALLPASS_SECRET",
    "HALLPASS_OLD_SECRET",
    "HALLPASS_PORT",
    "HALLPASS_PROT",
    "HALLPASS_ANY_CLIENT",
    "HALLPASS_DATABASE_PASSWORD",
    "HALLPASS_TEST_MAIN",
    "SECERT",
    "PATH",
  ];
  for (const name of others) {
    it(`does not name ${name}`, () => assertEquals(misspelledVariables({ [name]: "x" }, []), []));
  }

  it("does not name a variable that the configuration reads", () => {
    const secretVariables = ["HALLPASS_SECRET2"];
    assertEquals(misspelledVariables({ HALLPASS_SECRET2: "x" }, []).length, 1);
    assertEquals(misspelledVariables({ HALLPASS_SECRET2: "x" }, secretVariables), []);
  });
});
