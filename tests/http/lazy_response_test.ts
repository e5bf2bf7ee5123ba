import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createPrototype,
  lazyFetch,
  lazyResponse,
  partsOf,
  platformFetch,
  platformResponse,
  responseHeaders,
  responseText,
  withHeaders,
  withoutBody,
} from "../../src/http/lazy_response.ts";

const parts = {
  status: 201,
  headers: [["X-One", "1"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]],
  body: '{"a":1}',
} as const;

describe("lazyResponse", () => {
  it("has the members that a class in the place of Response inherits", () => {
    class Patched extends Response {}
    const members = (prototype: object) => Object.getOwnPropertyNames(createPrototype(prototype));
    assertEquals(members(Patched.prototype).sort(), members(Response.prototype).sort());
  });

  it("has every member of the platform's response", async () => {
    const response = lazyResponse(parts);
    assert(response instanceof Response);
    assertEquals([response.status, response.ok, response.bodyUsed], [201, true, false]);
    assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
    assertEquals(await response.clone().text(), parts.body);
    assertEquals(await response.json(), { a: 1 });
    assert(response.bodyUsed);
  });

  it("keeps its parts until something looks at more than its status", () => {
    const response = lazyResponse(parts);
    assertEquals([response.status, partsOf(response)], [201, parts]);
    response.headers.set("X-One", "2");
    assertEquals(partsOf(response), undefined);
    assertEquals(platformResponse(response).headers.get("X-One"), "2");
  });

  it("becomes one response of the platform, however often", () => {
    const response = lazyResponse(parts);
    assert(platformResponse(response) === platformResponse(response));
    assertEquals(Object.getPrototypeOf(platformResponse(response)), Response.prototype);
  });

  it("lets its text be read without its stream, before and after that", () => {
    const response = lazyResponse(parts);
    assertEquals(responseText(response), parts.body);
    assertEquals(partsOf(response), parts);
    assertEquals(responseText(platformResponse(response)), parts.body);
    assertEquals(responseText(new Response("x")), undefined);
  });

  it("has an empty text without a body, and none where the body is bytes", () => {
    assertEquals(responseText(lazyResponse({ ...parts, body: null })), "");
    const bytes = lazyResponse({ ...parts, body: new Uint8Array([1]) });
    assertEquals(responseText(bytes), undefined);
    assertEquals(responseText(platformResponse(bytes)), undefined);
  });
});

describe("withHeaders", () => {
  for (
    const [name, response] of [
      ["parts", lazyResponse(parts)],
      [
        "a response of the platform",
        new Response("x", { headers: { "X-Two": "old", Vary: "Host" } }),
      ],
      ["immutable headers", Response.redirect("https://a.example/", 302)],
    ] as const
  ) {
    it(`adds headers to ${name}`, () => {
      const { headers, status } = withHeaders(response, [["X-Two", "2"], ["Vary", "Origin"]]);
      assertEquals([headers.get("X-Two"), status], ["2", response.status]);
      assert(headers.get("Vary")?.endsWith("Origin"));
    });
  }

  it("adds to what a response varies by, and replaces other headers", () => {
    const plain = new Response("x", { headers: { "X-Two": "old", Vary: "Host" } });
    const { headers } = withHeaders(plain, [["Vary", "Origin"], ["X-Two", "2"]]);
    assertEquals([headers.get("Vary"), headers.get("X-Two")], ["Host, Origin", "2"]);
  });

  it("leaves plain data plain, as do a list of the headers and a look at the status", () => {
    const response = withHeaders(lazyResponse(parts), [["X-Two", "2"]]);
    assertEquals(responseHeaders(response).length, 4);
    assertEquals(response.status, 201);
    assertEquals(partsOf(response)?.headers.at(-1), ["X-Two", "2"]);
    assertEquals(partsOf(withoutBody(response))?.body, null);
  });
});

describe("withoutBody", () => {
  it("keeps the status and the headers", async () => {
    for (const response of [lazyResponse(parts), platformResponse(lazyResponse(parts))]) {
      const { status, headers, body } = withoutBody(response);
      assertEquals([status, headers.get("X-One"), body], [201, "1", null]);
    }
  });
});

describe("platformFetch", () => {
  const own = () => Promise.resolve(lazyResponse(parts));
  const fetch = platformFetch(own);
  const request = new Request("https://a.example/");

  it("returns responses of the platform", async () => {
    const response = await fetch(request);
    assertEquals(Object.getPrototypeOf(response), Response.prototype);
  });

  it("lets our listeners have the parts, and of any other application its own responses", async () => {
    assertEquals(partsOf(await lazyFetch({ fetch })(request)), parts);
    const response = new Response("x");
    assert(await lazyFetch({ fetch: () => Promise.resolve(response) })(request) === response);
  });
});
