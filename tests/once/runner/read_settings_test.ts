import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readDeclarations, readSettingTypes } from "../../../scripts/schema/read_settings.ts";

/** Where settings of a user, of the brand and of a key are declared, and what they refer to. */
const files = ["config/user_config.ts", "config/signing_key_config.ts", "model/claims.ts"]
  .concat("model/signing.ts", "features/logout/config.ts").map((file) => `src/server/${file}`);

const names = ["UserConfig", "SigningKeyConfig", "LogoutClientConfig"];

describe("deno task generate", () => {
  it("names a type that no file exports", async () => {
    const declarations = await readDeclarations(["src/server/model/signing.ts"]);
    const read = () => readSettingTypes(declarations, ["Nothing"]);
    assertThrows(read, Error, "No file exports the type Nothing.");
  });

  it("takes an optional setting without a default for false, empty or absent", async () => {
    const { disabled, claims, postLogoutRedirectUris, ...others } = await defaultsOf(names, []);
    assertEquals([disabled, claims, postLogoutRedirectUris], ["false", "{}", "[]"]);
    assertEquals([others.name, others.password, others.jwk], [undefined, undefined, undefined]);
    assertEquals(others.sub, "the `name`");
  });

  it("adds no default to what is no setting", async () => {
    const { disabled, claims, sub } = await defaultsOf([], names);
    assertEquals([disabled, claims, sub], [undefined, undefined, "the `name`"]);
  });
});

async function defaultsOf(...roots: [settings: string[], others: string[]]) {
  const types = readSettingTypes(await readDeclarations(files), ...roots);
  const members = [...types.values()].flatMap(({ type }) =>
    type.type === "object" ? type.members : []
  );
  return Object.fromEntries(members.map((member) => [member.name, member.default]));
}
