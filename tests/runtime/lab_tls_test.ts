import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { get } from "node:https";
import { describe, it } from "node:test";
import { makeLabCertificate } from "../../src/testing/certificate.ts";
import { hallpass } from "../../src/testing/mod.ts";

const day = 24 * 60 * 60 * 1000;

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
    const other = await makeLabCertificate(["localhost"]);
    await assertRejects(() => fetchTrusting(other.ca, `${lab.issuer}/health`));
  });

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

describe("The certificate of a lab", () => {
  it("is for its hosts and a day, and signed by its authority", async () => {
    const { cert, ca, key } = await makeLabCertificate(["localhost", "idp.test", "[::1]"]);
    const [server, authority] = [new X509Certificate(cert), new X509Certificate(ca)];
    assert(server.verify(authority.publicKey));
    assert(authority.verify(authority.publicKey));
    assertMatch(
      server.subjectAltName ?? "",
      /DNS:localhost, DNS:idp\.test, IP Address:(?:0:0:0:0:0:0:0|:):1/,
    );
    const valid = Date.parse(server.validTo) - Date.now();
    assert(valid > 0.99 * day && valid <= day, `${valid}`);
    assert(Date.parse(server.validFrom) < Date.now());
    assertMatch(key, /^-----BEGIN PRIVATE KEY-----/);
  });
});
