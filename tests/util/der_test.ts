import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type Der,
  derBitString,
  derBoolean,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derText,
  derTime,
  toPem,
} from "../../src/server/util/bytes/der.ts";

const values: Array<[what: string, value: Der, hex: string]> = [
  ["zero", derInteger([0, 0]), "020100"],
  ["a small integer", derInteger([0, 127]), "02017f"],
  ["an integer whose first bit is set", derInteger([128]), "02020080"],
  ["true", derBoolean(true), "0101ff"],
  ["ecdsa-with-SHA256", derObjectIdentifier("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
  ["bits that end within a byte", derBitString([0x80], 7), "03020780"],
  ["text", derText("é"), "0c02c3a9"],
  ["an instant", derTime(new Date("2026-01-02T03:04:05.678Z")), "170d3236303130323033303430355a"],
  ["a sequence", derSequence(derInteger([1]), derBoolean(false)), "3006020101010100"],
];

describe("DER (X.690)", () => {
  for (const [what, value, hex] of values) {
    it(`encodes ${what}`, () => assertEquals(toHex(value), hex));
  }

  it("encodes lengths of one, two and three bytes", () => {
    const starts = [127, 128, 256].map((length) =>
      toHex(derOctetString(new Uint8Array(length)).slice(0, 4))
    );
    assertEquals(starts, ["047f0000", "04818000", "04820100"]);
  });

  it("is written as PEM in lines of 64 characters", () => {
    const lines = toPem("CERTIFICATE", new Uint8Array(60)).split("\n");
    assertEquals(lines.map(({ length }) => length), [27, 64, 16, 25, 0]);
  });
});

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
