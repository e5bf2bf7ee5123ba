import { assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../support/browser.ts";
import { openKit } from "../../support/kit.ts";
import { redirectUri, register } from "../../support/registration.ts";

describe("The account page, for a client that registered itself", () => {
  it("L6: names everyone who receives what was allowed", async () => {
    const kit = openKit({ registration: "open" });
    const redirect_uris = [
      "https://trusted-looking.example/cb",
      redirectUri,
      "com.example.app:/cb",
    ];
    const { client_id } = (await register(kit, { redirect_uris })).body;
    const browser = kit.browser();
    const asked = { client_id, redirect_uri: redirectUri };
    const callback = new URL(
      await browser.authorize(kit.authorizationUrl({ ...asked, scope: "openid" })),
    );
    await kit.redeem(callback.searchParams.get("code")!, asked);
    const text = textOf((await browser.open(`${kit.issuer}/account`)).html);
    assertMatch(
      text,
      /Registered itself · What you allowed is sent to trusted-looking\.example , app\.example , and com\.example\.app/,
    );
  });
});
