import { assert, assertEquals, assertThrows } from "@std/assert";
import { createHash, X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import {
  readAlternativeNames,
  readCertificate,
} from "../../../src/server/features/mtls/certificate.ts";
import { CertificateError } from "../../../src/server/features/mtls/der.ts";
import { normalizeName } from "../../../src/server/features/mtls/distinguished_name.ts";
import { type Der, derSequence } from "../../../src/server/util/bytes/der.ts";
import { sha256OfBytes } from "../../../src/server/util/crypto/hash.ts";
import { certificateNames, certificateOf, derOf } from "./read_certificates.ts";

/** What is refused in a certificate that reads as `plain` otherwise: bytes, and their successors. */
const malformed: ReadonlyArray<[what: string, from: string, to: string]> = [
  ["a time without seconds", "170d3234", "170b3234"],
  ["a month that does not exist", "3234303130313030", "3234313330313030"],
  ["an unknown version", "a003020102", "a003020103"],
  ["another algorithm inside than outside", "2a8648ce3d04030230263112", "2a8648ce3d04030330263112"],
  ["an indefinite length", "3010310e300c", "3080310e300c"],
  ["a boolean that is neither", "0101ff", "010101"],
  ["a name that is no UTF-8", "0c05706c61696e", "0c05ff6c61696e"],
  ["an object identifier that does not end", "06035504030c0570", "06035504f30c0570"],
  ["a tag of several bytes", "06035504030c0570", "1f035504030c0570"],
];

const names: ReadonlyArray<[written: string, normalized: string | undefined]> = [
  ["CN=client,O=Example", "CN=client,O=Example"],
  ["cn = client , o=Example", "CN=client,O=Example"],
  ["2.5.4.3=client", "CN=client"],
  ["UID=u1+OU=IT,DC=x", "OU=IT+UID=u1,DC=x"],
  ["O=M\\C3\\BCller\\, S\\c3\\b6hne", "O=Müller\\, Söhne"],
  ["O=M\\c3\\bcller\\2C Söhne", "O=Müller\\, Söhne"],
  ["CN=\\#client\\ ", "CN=\\#client\\ "],
  ["1.2.3.4=#0C0161", "1.2.3.4=#0c0161"],
  ["CN=a\\00b", "CN=a\\00b"],
  ["CN=Client", "CN=Client"],
  ["CN=", "CN="],
  ["", undefined],
  ["client", undefined],
  ["CN=a,", undefined],
  ["CN=a;O=b", undefined],
  ["CN=\\ff", undefined],
  ["CN=#client", undefined],
  ["color=blue", undefined],
  ["/O=Example/CN=client", undefined],
  [`CN=${"a".repeat(1024)}`, undefined],
];

function fromHex(text: string): Der {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("A certificate (RFC 5280, section 4.1)", () => {
  it("is read with its names, each by itself (CVE-2021-44532)", () => {
    const { subject, sans } = certificateOf("client");
    assertEquals(
      subject,
      "CN=\\#client,emailAddress=a@b.example,serialNumber=7,2.5.4.12=#0c04626f7373," +
        'OU=IT+UID=u1,O=Müller\\, Söhne \\"X\\",C=DE',
    );
    assertEquals(sans, {
      dns: ["client.example", "*.b.example"],
      uri: ["https://client.example/x,DNS:evil.example"],
      ip: ["10.0.0.1", "2001:db8::1"],
      email: ["c@client.example"],
    });
  });

  it("is read without a subject, and in version 1", () => {
    const nameless = certificateOf("nameless");
    assertEquals([nameless.subject, nameless.sans.dns], ["", ["only.example"]]);
    assertEquals(certificateOf("v1").subject, "CN=v1");
  });

  it("has the key, dates and thumbprint that Node reads", async () => {
    for (const name of certificateNames.filter((each) => !["nul", "spaced"].includes(each))) {
      const [der, { publicKey, notBefore, notAfter }] = [derOf(name), certificateOf(name)];
      const expected = new X509Certificate(der);
      assertEquals([notBefore, notAfter], [expected.validFrom, expected.validTo].map(Date.parse));
      const hash = createHash("sha256").update(der).digest("base64url");
      assertEquals(await sha256OfBytes(der), hash);
      if (name.endsWith("k1")) continue;
      const key = expected.publicKey.export({ type: "spki", format: "der" });
      assertEquals(toHex(publicKey), key.toString("hex"), name);
    }
  });

  for (const name of ["nul", "spaced"] as const) {
    it(`is refused if one of its names is ${name}`, () => {
      assertThrows(() => certificateOf(name), CertificateError, "characters");
    });
  }

  it("M02: is refused if an address among its names has 17 bytes", () => {
    const names = (size: number) =>
      Uint8Array.from([0x30, size + 2, 0x87, size, 0x20, 1, ...zeros(size - 2)]);
    assertEquals(readAlternativeNames(names(16)).ip, ["2001::"]);
    for (const size of [17, 15, 5]) {
      assertThrows(() => readAlternativeNames(names(size)), CertificateError, "IP address");
    }
  });

  for (const [what, from, to] of malformed) {
    it(`is refused with ${what}`, () => {
      const hex = toHex(derOf("plain"));
      assert(hex.includes(from), `plain has no ${from}: ${hex}`);
      const changed = fromHex(hex.replace(from, to));
      assertThrows(() => readCertificate(changed), CertificateError);
    });
  }

  it("is refused if anything follows, if it ends early, and if it is too long", () => {
    const der = derOf("plain");
    const longer = Uint8Array.from([...der, 0]);
    for (const each of [longer, der.slice(0, -1), derSequence(new Uint8Array(17_000))]) {
      assertThrows(() => readCertificate(each), CertificateError);
    }
  });

  it("is read or refused with any byte changed, and fails in no other way", () => {
    for (const name of ["client", "authority", "by_rsa"] as const) {
      const der = derOf(name);
      for (let at = 0; at < der.length; at++) {
        for (const value of [0, 0x80, 0xff, (der[at] ?? 0) + 1]) refusalOf(der.with(at, value));
        refusalOf(der.slice(0, at));
      }
    }
  });
});

/** Reads bytes; throws what is not the refusal of a certificate. */
function refusalOf(der: Uint8Array): void {
  try {
    readCertificate(der);
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
  }
}

describe("A distinguished name (RFC 4514)", () => {
  for (const [written, normalized] of names) {
    it(`is ${normalized ?? "none"} if it is written '${written.slice(0, 40)}'`, () => {
      assertEquals(normalizeName(written), normalized);
    });
  }

  it("is equal to what a certificate has, as OpenSSL writes it", () => {
    const openssl = "CN=\\#client,emailAddress=a@b.example,serialNumber=7,2.5.4.12=#0C04626F7373," +
      'UID=u1+OU=IT,O=M\\C3\\BCller\\, S\\C3\\B6hne \\"X\\",C=DE';
    assertEquals(normalizeName(openssl), certificateOf("client").subject);
    for (const name of certificateNames.filter((each) => !/nul|spaced|less/.test(each))) {
      const { subject } = certificateOf(name);
      assertEquals(normalizeName(subject), subject);
    }
  });
});
