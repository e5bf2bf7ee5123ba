import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { textOf, unescape } from "../support/browser.ts";
import { openKit } from "../support/kit.ts";

/** The request that a printed `curl` sends. */
function requestOf(curl: string): Request {
  const [url] = [...curl.matchAll(/-X POST '([^']+)'/g)].map(([, url]) => url);
  const headers = new Headers(
    [...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) =>
      [name, value] as [string, string]
    ),
  );
  const body = [...curl.matchAll(/-d '([^']+)'/g)].map(([, field]) => field).join("&");
  return new Request(url, { method: "POST", headers, body });
}

describe("A lab under the profile fapi-2.0", () => {
  for (const issuer of ["https://hallpass.test", "http://localhost:9000"]) {
    it(`has demo clients that fit, and prints a token request that works: ${issuer}`, async () => {
      const kit = openKit({ profile: "fapi-2.0", issuer });
      const browser = kit.browser();
      const callback = await browser.authorize(`${issuer}/start?client_id=demo-web`);
      const html = await (await browser.request(callback)).text();
      const curl = unescape(/id="key-example"[^>]*>([\s\S]*?)<\/code>/.exec(html)![1]);
      const response = await kit.server.fetch(requestOf(curl));
      assertEquals([response.status, (await response.json()).token_type], [200, "DPoP"]);
    });
  }

  it("leads back to a client that is there", async () => {
    const kit = openKit({ profile: "fapi-2.0" });
    const html = await (await kit.get("/authorized?code=x&iss=x")).text();
    assert(html.includes("/start?client_id=demo-web"), textOf(html));
  });
});
