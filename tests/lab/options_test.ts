import { assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { ConfigError } from "../../src/mod.ts";
import { hallpass, type HallpassOptions } from "../../src/testing/mod.ts";

const misspelled: ReadonlyArray<[name: string, meant: string]> = [
  ["signin", "signIn"],
  ["sign_in", "signIn"],
  ["signInByHnt", "signInByHint"],
  ["anyclient", "anyClient"],
  ["responseType", "responseTypes"],
  ["lsten", "listen"],
  ["labtoken", "labToken"],
  ["user", "users"],
];

describe("The options of a lab", () => {
  for (const [name, meant] of misspelled) {
    it(`are rejected if one is misspelled: '${name}' was meant to be '${meant}'`, async () => {
      const options: HallpassOptions = { [name]: "alice" };
      await assertRejects(
        () => hallpass(options),
        ConfigError,
        `${name} is not a setting. Did you mean '${meant}'?`,
      );
    });
  }
});
