import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { get } from "node:https";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { offerTls, type TlsOffer } from "../support/client_hello.ts";
import { present } from "../support/present.ts";

/** Gets a URL as a client that trusts one authority. */
function fetchTrusting(ca: string, url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get(url, { ca, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (part: string) => text += part);
    response.on("end", () => resolve(text));
  }).on("error", reject);
  return promise;
}

describe("hallpass({ listen: true, tls: true })", () => {
  it("listens with a certificate that clients accept by lab.ca, and by nothing else", async () => {
    await using lab = await hallpass({ listen: true, tls: true });
    assertMatch(lab.issuer, /^https:\/\/localhost:\d+$/);
    const { port } = new URL(lab.issuer);
    const ca = lab.ca ?? "";
    for (const host of ["localhost", "127.0.0.1"]) {
      const text = await fetchTrusting(ca, `https://${host}:${port}/health`);
      assertEquals(JSON.parse(text).issuer, lab.issuer);
    }
    await using other = await hallpass({ listen: true, tls: true });
    await assertRejects(() => fetchTrusting(present(other.ca), `${lab.issuer}/health`));
  });

  const modern = [0xc02b, 0xc02f];
  const offers: Array<[what: string, offer: TlsOffer, isAccepted: boolean]> = [
    ["TLS 1.2", { version: 0x0303, ciphers: modern }, true],
    ["TLS 1.1", { version: 0x0302, ciphers: [0xc009, 0xc013, 0x002f] }, false],
    ["TLS 1.0", { version: 0x0301, ciphers: [0xc009, 0xc013, 0x002f] }, false],
    ["RC4", { version: 0x0303, ciphers: [0x0005, 0xc007, 0xc011] }, false],
    ["3DES", { version: 0x0303, ciphers: [0x000a, 0xc008, 0xc012] }, false],
    ["no encryption", { version: 0x0303, ciphers: [0x0002, 0xc006, 0xc010] }, false],
  ];
  for (const [what, offer, isAccepted] of offers) {
    it(`GHSA-gr79-9v6v-gc9r: ${isAccepted ? "accepts" : "refuses"} ${what}`, async () => {
      await using lab = await hallpass({ listen: true, tls: true });
      const response = await offerTls(Number(new URL(lab.issuer).port), offer);
      assertEquals(response === "handshake", isAccepted, response);
    });
  }

  it("sends cookies for https only", async () => {
    await using lab = await hallpass({ listen: true, tls: true });
    const response = await lab.fetch(`${lab.issuer}/`);
    assertMatch(response.headers.get("Set-Cookie") ?? "", /^__Host-.*; Secure/);
  });

  it("needs a port", async () => {
    await assertRejects(() => hallpass({ tls: true }), Error, "'tls' needs 'listen'");
  });

  it("has no authority without TLS", async () => {
    await using lab = await hallpass();
    assertEquals(lab.ca, undefined);
  });
});
