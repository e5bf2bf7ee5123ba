import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isPublicAddress } from "../../src/server/util/addresses/ip_address.ts";

describe("isPublicAddress (RFC 6890)", () => {
  const publicOnes = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:c98::1",
    "64:ff9b::808:808",
  ];
  for (const address of publicOnes) {
    it(`accepts ${address}`, () => assertEquals(isPublicAddress(address), true));
  }

  const others = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.7",
    "224.0.0.1",
    "255.255.255.255",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "0",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:a9fe:a9fe",
    "::127.0.0.1",
    "0:0:0:0:0:ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00::",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "100::1",
    "localhost",
    "app.example",
    "",
    "1.2.3.4.5",
    "1.2.3.4/8",
    "[::1]",
  ];
  for (const address of others) {
    it(`refuses '${address}'`, () => assertEquals(isPublicAddress(address), false));
  }
});
