import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { verifyChain } from "../../../src/server/features/mtls/certificate_chain.ts";
import { CertificateError } from "../../../src/server/features/mtls/der.ts";
import { type CertificateName, certificateOf } from "./read_certificates.ts";

const now = Date.parse("2027-06-01T12:00:00Z");

const accepted: ReadonlyArray<[chain: CertificateName[], authority?: CertificateName]> = [
  [["client"]],
  [["plain", "authority"]],
  [["nameless"]],
  [["v1"]],
  [["below", "intermediate"]],
  [["below", "intermediate", "authority"]],
  [["fourth", "third", "unlimited"], "unlimited"],
  [["by_rsa"], "rsa"],
  [["by_rsa3"], "rsa3"],
  [["by_p384"], "p384"],
  [["by_p521"], "p521"],
  [["by_ed"], "ed"],
  // Its own signature, with RSASSA-PSS, is not what is trusted.
  [["by_pss"], "pss"],
];

const refused: ReadonlyArray<
  [what: string, chain: CertificateName[], reason: string, authority?: CertificateName]
> = [
  ["no certificate", [], "There is no certificate"],
  ["an authority that is not configured", ["by_rsa"], "not configured"],
  ["an authority of the same name", ["forged"], "not signed by the authority that it names"],
  ["an authority that the client sends", ["by_rsa", "rsa"], "not configured"],
  ["the impostor as an intermediate", ["forged", "impostor"], "not signed by the authority"],
  ["a missing intermediate", ["below"], "not configured"],
  ["another intermediate", ["below", "unlimited"], "not configured"],
  ["an issuer that is not an authority", ["usurper", "plain"], "not belong to an authority"],
  ["an issuer that may not sign certificates", ["unsigned", "unsigning"], "not belong to"],
  ["more authorities than the intermediate allows", ["bottom", "deep", "intermediate"], "fewer"],
  ["more authorities than the authority allows", ["fourth", "third", "unlimited"], "fewer"],
  ["an authority for servers", ["ofservers", "servers"], "not for TLS clients"],
  ["an authority whose names are confined", ["ofconfined", "confined"], "name constraints"],
  ["one whose names are, in no critical way", ["of_limited", "limited"], "name", "renewed"],
  ["a certificate for servers", ["server"], "not for TLS clients"],
  ["a key that only encrypts", ["enciphers"], "may not be used to sign"],
  ["an unknown critical extension", ["unknown"], "critical extension"],
  ["an expired certificate", ["expired"], "has expired"],
  ["a certificate of the future", ["future"], "is not valid yet"],
  ["a signature with SHA-1", ["sha1"], "1.2.840.10045.4.1"],
  ["a signature with RSASSA-PSS", ["pss_signed"], "1.2.840.113549.1.1.10", "pss"],
  ["an RSA key of 1024 bits", ["by_short"], "not signed", "short"],
  ["an unknown curve", ["by_k1"], "not signed", "k1"],
];

/** Chains while an authority, or one below it, has two certificates of the same name. */
const inRollover: ReadonlyArray<[chain: CertificateName[], authorities: CertificateName[]]> = [
  [["by_renewed"], ["lapsed", "renewed"]],
  [["by_renewed"], ["rollover_p384", "renewed"]],
  [["by_renewed"], ["rollover_ed", "renewed"]],
  [["by_issuing", "new_issuing"], ["old_issuing", "renewed"]],
];

describe("A chain of certificates (RFC 5280, section 6.1)", () => {
  for (const [chain, authority = "authority"] of accepted) {
    it(`of ${chain.join(", ")} is accepted by ${authority}`, async () => {
      await verifyChain(chain.map(certificateOf), [certificateOf(authority)], now);
    });
  }

  for (const [what, chain, reason, authority = "authority"] of refused) {
    it(`is refused with ${what}`, async () => {
      await assertRejects(
        () => verifyChain(chain.map(certificateOf), [certificateOf(authority)], now),
        CertificateError,
        reason,
      );
    });
  }

  it("is accepted by one of several authorities, also of the same name", async () => {
    const authorities = (["impostor", "rsa", "authority"] as const).map(certificateOf);
    await verifyChain([certificateOf("plain")], authorities, now);
  });

  for (const [chain, authorities] of inRollover) {
    it(`M01: of ${chain.join(", ")} is accepted by ${authorities.join(" or ")}`, async () => {
      await verifyChain(chain.map(certificateOf), authorities.map(certificateOf), now);
    });
  }

  it("M01: is refused with the reason of the authority that signed it", async () => {
    const late = Date.parse("2123-12-09T00:00:00Z");
    for (const names of [["lapsed", "rollover_p384"], ["rollover_p384", "lapsed"]] as const) {
      const refused = () =>
        verifyChain([certificateOf("by_renewed")], names.map(certificateOf), late);
      await assertRejects(refused, CertificateError, "has expired");
    }
  });

  it("an authority whose own certificate is signed with RSASSA-PSS does not stop the others", async () => {
    const authorities = (["pss", "authority"] as const).map(certificateOf);
    await verifyChain([certificateOf("plain")], authorities, now);
  });

  it("is refused after any byte of what was signed has changed", async () => {
    const plain = certificateOf("plain");
    const { content } = plain.signed;
    for (let at = 0; at < content.length; at += 7) {
      const signed = { ...plain.signed, content: content.with(at, (content[at] ?? 0) ^ 1) };
      const changed = { ...plain, signed };
      await assertRejects(() => verifyChain([changed], [certificateOf("authority")], now));
    }
  });

  it("is refused when the authority itself has expired", async () => {
    const late = Date.parse("2200-01-01T00:00:00Z");
    const eternal = { ...certificateOf("plain"), notAfter: Infinity };
    const problem = await assertRejects(() =>
      verifyChain([eternal], [certificateOf("authority")], late)
    ) as Error;
    assertEquals(problem.message, "The certificate of 'O=Example,CN=Authority' has expired.");
  });
});
