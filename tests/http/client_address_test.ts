import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createOriginReader, type TrustedProxies } from "../../src/server/http/client_address.ts";
import { parseAddress } from "../../src/server/util/addresses/address_spelling.ts";
import { senderNetwork } from "../../src/server/util/addresses/network.ts";

/** Returns the address that counts as the sender of a request. */
function addressOf(
  peer: string | undefined,
  forwarded: string | undefined,
  trustedProxies: TrustedProxies,
): string | undefined {
  const headers = new Headers(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded });
  return createOriginReader(trustedProxies)({ peer, headers }).address;
}

describe("The address of a sender", () => {
  const spellings: Array<[text: string, address: string | undefined]> = [
    ["1.2.3.4", "1.2.3.4"],
    [" 1.2.3.4 ", "1.2.3.4"],
    ["1.2.3.4:5678", "1.2.3.4"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::FFFF:102:304", "1.2.3.4"],
    ["[::ffff:1.2.3.4]:5678", "1.2.3.4"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:db8:0:0:0:0:0:1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["1.2.3.256", undefined],
    ["1.2.3", undefined],
    ["16909060", undefined],
    ["0x1.2.3.4", undefined],
    ["1.2.3.4:x", undefined],
    ["unknown", undefined],
    ["2001:db8::1::2", undefined],
    ["[2001:db8::1", undefined],
    ["proxy.example", undefined],
    ["", undefined],
  ];
  for (const [text, address] of spellings) {
    it(`M4: reads '${text}' as ${address ?? "no address"}`, () =>
      assertEquals(parseAddress(text), address));
  }

  const walks: Record<
    string,
    [
      peer: string | undefined,
      forwarded: string | undefined,
      proxies: TrustedProxies,
      address: string | undefined,
    ]
  > = {
    "the peer if no proxy is trusted": ["9.9.9.9", "1.2.3.4", [], "9.9.9.9"],
    "the entry of a trusted proxy": ["10.0.0.1", "6.6.6.6, 1.2.3.4", ["10.0.0.1"], "1.2.3.4"],
    "the first untrusted entry from the right": ["10.0.0.1", "1.2.3.4, 10.0.0.2", [
      "10.0.0.1",
      "10.0.0.2",
    ], "1.2.3.4"],
    "a trusted proxy in its IPv6 spelling": ["::ffff:10.0.0.1", "1.2.3.4", ["10.0.0.1"], "1.2.3.4"],
    "a proxy that is configured in its IPv6 spelling": ["10.0.0.1", "1.2.3.4", [
      "::ffff:10.0.0.1",
    ], "1.2.3.4"],
    "a proxy that is configured in the long spelling": ["fd00::1", "1.2.3.4", [
      "FD00:0:0:0:0:0:0:1",
    ], "1.2.3.4"],
    "the entry of a proxy in a network": ["10.9.8.7", "1.2.3.4", ["10.0.0.0/8"], "1.2.3.4"],
    "the entry of a proxy on this machine": ["127.0.0.1", "1.2.3.4", "loopback", "1.2.3.4"],
    "the entry of a proxy at ::1": ["::1", "1.2.3.4", "loopback", "1.2.3.4"],
    "the peer that is not on this machine": ["10.0.0.1", "1.2.3.4", "loopback", "10.0.0.1"],
    "an address with a port": ["10.0.0.1", "1.2.3.4:4711", ["10.0.0.1"], "1.2.3.4"],
    "an IPv6 address with a port": ["10.0.0.1", "[2001:db8::1]:4711", ["10.0.0.1"], "2001:db8::1"],
    "the proxy itself if its entry is invalid": [
      "10.0.0.1",
      "1.2.3.4, unknown",
      ["10.0.0.1"],
      "10.0.0.1",
    ],
    "the proxy itself if it adds no entry": ["10.0.0.1", undefined, ["10.0.0.1"], "10.0.0.1"],
    "undefined if the peer is unknown": [undefined, "1.2.3.4", ["10.0.0.1"], undefined],
  };
  for (const [what, [peer, forwarded, proxies, address]] of Object.entries(walks)) {
    it(`M4: is ${what}`, () => assertEquals(addressOf(peer, forwarded, proxies), address));
  }

  it("M7: counts an IPv6 /48 as one network: a household with a /56 would be 256 senders", () => {
    assertEquals(senderNetwork("2001:db8::1"), senderNetwork("2001:db8::2:0:0:1"));
    assertEquals(senderNetwork("2001:db8:0:1::1"), senderNetwork("2001:db8::1"));
    assertEquals(senderNetwork("2001:db8:1::1") === senderNetwork("2001:db8::1"), false);
  });

  it("counts an IPv4 address as one network", () =>
    assertEquals(senderNetwork("1.2.3.4"), "1.2.3.4"));
});
