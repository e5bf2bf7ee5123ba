import { assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions } from "../../src/lab/testing/mod.ts";
import { ConfigError } from "../../src/server/mod.ts";

const misspelled: ReadonlyArray<[name: string, meant: string]> = [
  ["signin", "signIn"],
  ["sign_in", "signIn"],
  ["signInByHnt", "signInByHint"],
  ["clientdefaults", "clientDefaults"],
  ["redirectUri", "redirectUris"],
  ["lsten", "listen"],
  ["labtoken", "labToken"],
  ["user", "users"],
];

describe("The options of a lab", () => {
  for (const [name, meant] of misspelled) {
    const title = `are rejected if one is misspelled: '${name}' was meant to be '${meant}'`;
    it(title, async () => {
      const options: HallpassOptions = { [name]: "alice" };
      await assertRejects(
        () => hallpass(options),
        ConfigError,
        `${name} is not a setting (did you mean '${meant}'?)`,
      );
    });
  }

  const wrong: Record<string, unknown> = {
    frontChannelUrl: 0,
    scopes: [{}],
    clients: "demo-spa",
    users: [null],
    grantTypes: 1,
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`are rejected with a name if one has the wrong type: '${name}'`, async () => {
      const options: HallpassOptions = { [name]: value };
      await assertRejects(() => hallpass(options), ConfigError, name);
    });
  }

  const noUrls: ReadonlyArray<[name: string, value: unknown]> = [
    ["issuer", 5],
    ["issuer", "x"],
    ["frontChannelUrl", "x"],
    ["backChannelUrl", true],
  ];
  for (const [name, value] of noUrls) {
    it(`are rejected with a name if an address is no URL: '${name}': ${value}`, async () => {
      await assertRejects(() => hallpass({ [name]: value }), ConfigError, name);
    });
  }
});
