import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isClientIdUrl } from "../../src/server/protocol/client_trust.ts";

describe("The URL of a client's metadata document (OAuth Client ID Metadata Document, section 3)", () => {
  const cases: Array<[url: string, isOne: boolean]> = [
    ["https://app.example/client.json", true],
    ["https://app.example:8443/client", true],
    ["https://app.example/a/", true],
    ["https://app.example", false],
    ["https://app.example/", false],
    ["http://app.example/client", false],
    ["https://app.example/client#x", false],
    ["https://app.example/client#", false],
    ["https://app.example/client?x=1", false],
    ["https://app.example/client?", false],
    ["https://user@app.example/client", false],
    ["https://:pass@app.example/client", false],
    ["https://@app.example/client", false],
    ["https://app.example/./client", false],
    ["https://app.example/a/../client", false],
    ["https://app.example/%2e%2e/client", false],
    ["https://app.example/.%2E/client", false],
    ["https://APP.example/client", false],
    ["HTTPS://app.example/client", false],
    ["https://app.example:443/client", false],
    ["https:app.example/client", false],
    ["https:///app.example/client", false],
    ["https://app.example\\client", false],
    ["https://app.example/cli ent", false],
    ["https://äpp.example/client", false],
    ["https://0x7f.1/client", false],
    ["https://2130706433/client", false],
    ["javascript:alert(1)", false],
    [`https://app.example/${"x".repeat(235)}`, true],
    [`https://app.example/${"x".repeat(236)}`, false],
    ["demo-spa", false],
    ["", false],
  ];
  for (const [url, isOne] of cases) {
    it(`${isOne ? "is" : "is not"} '${url.slice(0, 60)}', of ${url.length} characters`, () =>
      assertEquals(isClientIdUrl(url), isOne));
  }

  it("may be http on loopback in a lab", () => {
    assertEquals(isClientIdUrl("http://localhost:3000/client", true), true);
    assertEquals(isClientIdUrl("http://localhost:3000/client"), false);
    assertEquals(isClientIdUrl("http://app.example/client", true), false);
  });
});
