import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { textOf, unescape } from "../support/browser.ts";
import { openLabKit } from "../support/kit.ts";
import { runCurl } from "./run_curl.ts";

describe("A lab under the profile fapi-2.0", () => {
  for (const issuer of ["https://hallpass.test", "http://localhost:9000"]) {
    it(`has demo clients for it, and prints a token request that works: ${issuer}`, async () => {
      const kit = openLabKit({ profile: "fapi-2.0", issuer });
      const browser = kit.browser();
      const callback = await browser.authorize(`${issuer}/start?client_id=demo-web`);
      const html = await (await browser.request(callback)).text();
      const [, example = ""] = /id="key-example"[^>]*>([\s\S]*?)<\/code>/.exec(html) ?? [];
      const response = await runCurl(kit.server.fetch, unescape(example));
      assertEquals([response.status, (await response.json()).token_type], [200, "DPoP"]);
    });
  }

  it("links to a client that exists", async () => {
    const kit = openLabKit({ profile: "fapi-2.0" });
    const html = await (await kit.get("/authorized?code=x&iss=x")).text();
    assert(html.includes("/start?client_id=demo-web"), textOf(html));
  });
});
