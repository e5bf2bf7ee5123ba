// An ordinary test of a login. It knows nothing of attacks.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openShop } from "./shop.ts";

describe("The shop", async () => {
  const shop = await openShop(process.env.ISSUER!);
  after(() => shop.close());

  it("greets Alice after her login", async () => {
    const begun = await fetch(`${shop.url}/login`, { redirect: "manual" });
    const cookie = begun.headers.get("set-cookie")!.split(";")[0];
    // The lab signs Alice in without a page.
    const allowed = await fetch(begun.headers.get("location")!, { redirect: "manual" });
    const callback = allowed.headers.get("location")!;
    await fetch(callback, { headers: { cookie }, redirect: "manual" });
    const page = await fetch(shop.url, { headers: { cookie } });
    assert.equal(await page.text(), "Hello Alice Adler");
  });

  it("asks everyone else to sign in", async () => {
    assert.equal((await fetch(shop.url)).status, 401);
  });
});
