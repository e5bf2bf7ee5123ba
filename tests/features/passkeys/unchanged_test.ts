import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { add as addUser } from "../../../src/administration/users.ts";
import type { PasskeyConfig } from "../../../src/server/features.ts";
import { type Kit, openStrictKit, spa } from "../../support/kit.ts";
import { password, signInByPassword } from "./passkey_kit.ts";

type Setting = NonNullable<PasskeyConfig["passkeys"]>;

async function openKit(passkeys: Setting, without?: string) {
  const config = { users: [], clients: [spa()], ...without === undefined && { passkeys } };
  const kit = openStrictKit(config, without);
  await addUser(kit.server.context, { name: "dora", password });
  return kit;
}

/** Returns what a browser gets at sign-in, without what is random. */
async function signInPages(kit: Kit): Promise<string[]> {
  const browser = kit.browser();
  const pages = [
    await browser.open(kit.authorizationUrl({ scope: "openid" })),
    await browser.open(`${kit.issuer}/account`),
    await signInByPassword(kit, kit.browser(), "wrong"),
  ];
  return pages.map(({ status, html }) =>
    `${status} ${html.replace(/(name="form_token" value="|\/interaction\/)[^"/]*/g, "$1")}`
  );
}

describe("A server whose users have no passkeys", () => {
  it("has the sign-in pages of a server without the feature, byte for byte", async () => {
    const expected = await signInPages(await openKit("off", "passkeys"));
    assertStringIncludes(expected[0] ?? "", 'id="sign-in"');
    const settings = ["off", "offered", { required: ["others"] }] satisfies Setting[];
    for (const passkeys of settings) {
      assertEquals(await signInPages(await openKit(passkeys)), expected);
    }
  });

  it("has no page or script of passkeys if they are off", async () => {
    const kit = await openKit("off");
    for (const path of ["/passkeys/challenge", "/passkeys/new", "/account/passkeys"]) {
      assertEquals((await kit.get(path)).status, 404);
    }
  });
});
