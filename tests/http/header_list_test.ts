import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { listHeaders, requestHeaders, withHeaderList } from "../../src/http/header_list.ts";
import { lazyResponse, responseHeaders } from "../../src/http/lazy_response.ts";

const lists: ReadonlyArray<[what: string, headers: Array<[name: string, value: string]>]> = [
  ["names in any case and order", [["X-B", "2"], ["a", "1"], ["Content-Type", "text/html"]]],
  ["a name that occurs twice", [["Vary", "Origin"], ["vary", "Accept"], ["A", "1"]]],
  ["two cookies", [["Set-Cookie", "b=2"], ["Set-Cookie", "a=1"], ["Location", "/"]]],
  ["nothing", []],
];

describe("Headers of plain data", () => {
  for (const [what, headers] of lists) {
    it(`are listed as the platform lists them: ${what}`, () => {
      const expected = [...new Headers(headers)];
      assertEquals(listHeaders(headers), expected);
      const response = lazyResponse({ status: 200, headers, body: null });
      assertEquals(responseHeaders(response), expected);
      const request = new Request("https://id.example");
      assertEquals(requestHeaders(withHeaderList(request, headers.flat())), expected);
    });
  }

  it("are those of the request or response where it has no list", () => {
    const headers = { "X-B": "2", A: "1" };
    const expected = [["a", "1"], ["x-b", "2"]];
    const plain = new Response(null, { headers });
    assertEquals(responseHeaders(plain) as string[][], expected);
    const request = new Request("https://id.example", { headers });
    assertEquals(requestHeaders(request) as string[][], expected);
  });
});
