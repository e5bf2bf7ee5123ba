import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isInNetwork, parseNetwork } from "../../src/server/util/addresses/network.ts";

/** Whether an address belongs to a network; undefined if the text is no network. */
function contains(text: string, address: string): boolean | undefined {
  const network = parseNetwork(text);
  return network && isInNetwork(address, network);
}

describe("A network", () => {
  const cases: Array<[text: string, address: string, isInside: boolean | undefined]> = [
    ["10.0.0.1", "10.0.0.1", true],
    ["10.0.0.1", "10.0.0.2", false],
    ["10.0.0.0/8", "10.255.255.255", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.1.2.3/8", "10.9.9.9", true],
    ["192.168.4.0/22", "192.168.7.255", true],
    ["192.168.4.0/22", "192.168.8.0", false],
    ["203.0.113.7/32", "203.0.113.7", true],
    ["203.0.113.7/32", "203.0.113.6", false],
    ["128.0.0.0/1", "255.0.0.1", true],
    ["::ffff:10.0.0.0", "10.0.0.0", true],
    ["fd00::/8", "fdab::1", true],
    ["fd00::/8", "fe80::1", false],
    ["2001:db8::1/128", "2001:db8::1", true],
    ["2001:db8::/32", "10.0.0.1", false],
    ["10.0.0.0/8", "fd00::a00:1", false],
    ["0.0.0.0/0", "1.2.3.4", undefined],
    ["::/0", "1.2.3.4", undefined],
    ["10.0.0.0/33", "10.0.0.0", undefined],
    ["fd00::/129", "fd00::", undefined],
    ["10.0.0.0/", "10.0.0.0", undefined],
    ["10.0.0.0/8/8", "10.0.0.0", undefined],
    ["10.0.0/8", "10.0.0.0", undefined],
    ["/8", "10.0.0.0", undefined],
    ["proxy.example", "10.0.0.0", undefined],
    ["", "10.0.0.0", undefined],
  ];
  for (const [text, address, isInside] of cases) {
    const says = isInside === undefined ? "is none" : isInside ? "contains" : "does not contain";
    it(`'${text}' ${says}${isInside === undefined ? "" : ` ${address}`}`, () =>
      assertEquals(contains(text, address), isInside));
  }
});
