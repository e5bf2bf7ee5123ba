import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { cacheLifetime } from "../../src/server/http/outbound_fetch.ts";

const limits = { min: 60, max: 3600, byDefault: 300 };

describe("How long a response may be cached (RFC 9111, section 5.2.2)", () => {
  const cases: Array<[control: string | undefined, seconds: number]> = [
    [undefined, 300],
    ["public", 300],
    ["max-age=100", 100],
    ["public, Max-Age=100", 100],
    ["max-age=59", 60],
    ["max-age=3601", 3600],
    ["max-age=0", 60],
    ["max-age=99999999999", 300],
    ["s-maxage=100", 300],
    ["no-store", 60],
    ["max-age=100, no-cache", 60],
  ];
  for (const [control, seconds] of cases) {
    it(`is ${seconds} s with ${control}`, () => {
      const headers = new Headers(control === undefined ? {} : { "Cache-Control": control });
      assertEquals(cacheLifetime(headers, limits), seconds);
    });
  }
});
