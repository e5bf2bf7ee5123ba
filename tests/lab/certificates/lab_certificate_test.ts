import { assert, assertEquals, assertMatch } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { makeLabCertificate } from "../../../src/lab/certificates/lab_certificate.ts";

const day = 24 * 60 * 60 * 1000;

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

  it("has an authority whose key no one can read, and whose names are constrained", async () => {
    const { subtle } = crypto;
    const exported: string[] = [];
    const original = subtle.exportKey;
    subtle.exportKey = (async (format: "pkcs8", key: CryptoKey) => {
      exported.push(`${format} of the ${key.type} key`);
      return await original.call(subtle, format, key);
    }) as typeof subtle.exportKey;
    const { ca } = await makeLabCertificate(["github.com"]).finally(() => {
      subtle.exportKey = original;
    });
    assertEquals(exported.filter((each) => each === "pkcs8 of the private key").length, 1);
    assertEquals(ca.match(/-----BEGIN [A-Z ]+-----/g), ["-----BEGIN CERTIFICATE-----"]);
    const bytes = [...new X509Certificate(ca).raw];
    // Name constraints (2.5.29.30), critical.
    const start = [0x06, 0x03, 0x55, 0x1d, 0x1e, 0x01, 0x01, 0xff];
    assert(bytes.some((_, at) => start.every((byte, n) => bytes[at + n] === byte)));
  });
});
