import { assert, assertMatch } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { makeLabCertificate } from "../../src/runtime/certificate.ts";

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
});
