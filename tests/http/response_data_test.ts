import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createApplication, directHandlerOf } from "../../src/server/http/application.ts";
import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import {
  listHeaders,
  toResponse,
  toResponseData,
  withHeaders,
  withoutBody,
} from "../../src/server/http/response_data.ts";

const data = {
  status: 201,
  headers: [["X-One", "1"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["Vary", "Host"]],
  body: '{"a":1}',
} as const;

const lists: ReadonlyArray<[what: string, headers: Array<[name: string, value: string]>]> = [
  ["names in any case and order", [["X-B", "2"], ["a", "1"], ["Content-Type", "text/html"]]],
  ["a name that occurs twice", [["Vary", "Origin"], ["vary", "Accept"], ["A", "1"]]],
  ["two cookies", [["Set-Cookie", "b=2"], ["Set-Cookie", "a=1"], ["Location", "/"]]],
  ["nothing", []],
];

describe("Headers of plain data", () => {
  for (const [what, headers] of lists) {
    it(`are listed as the platform lists them: ${what}`, () =>
      assertEquals(listHeaders(headers), [...new Headers(headers)]));
  }
});

describe("A response as plain data", () => {
  it("becomes one of the platform, with each cookie", async () => {
    const response = toResponse(data);
    assertEquals([response.status, await response.json()], [201, { a: 1 }]);
    assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
  });

  it("is made of one of the platform, whose body stays a stream", async () => {
    const { status, headers, body } = toResponseData(Response.json({ a: 1 }, { status: 202 }));
    assertEquals([status, headers[0]?.[0]], [202, "content-type"]);
    assertEquals(await new Response(body).json(), { a: 1 });
  });

  it("gains headers, which replace those of the same name but for Vary and cookies", () => {
    const added = [["x-one", "2"], ["Vary", "Origin"], ["Set-Cookie", "c=3"]] as const;
    const headers = new Headers(withHeaders(data, added).headers.map(([...pair]) => pair));
    assertEquals([headers.get("X-One"), headers.get("Vary")], ["2", "Host, Origin"]);
    assertEquals(headers.getSetCookie(), ["a=1", "b=2", "c=3"]);
  });

  it("to a HEAD request keeps its status and headers, and names the length of the body", () => {
    const headers = [...data.headers, ["Content-Length", "7"]] as const;
    assertEquals(withoutBody(data), { ...data, headers, body: null });
    const { headers: [first] } = withoutBody({ status: 200, headers: [], body: "ü" });
    assertEquals(first, ["Content-Length", "2"]);
  });

  it("to a HEAD request names no length where it does not know it", () => {
    const body = new Blob(["a"]).stream();
    const expected = { status: 200, headers: [], body: null };
    assertEquals(withoutBody({ status: 200, headers: [], body }), expected);
  });
});

describe("An application", () => {
  const application = createApplication(async () => data);
  const request = new Request("https://id.example/");

  it("responds with plain data, and with a response of the platform", async () => {
    assertEquals(await application.respond(createIncomingRequest(request)), data);
    const response = await application.fetch(request);
    assertEquals(Object.getPrototypeOf(response), Response.prototype);
  });

  it("Q1: has a direct way that belongs to its fetch, and to no other function", () => {
    const { respond, fetch } = application;
    assertEquals(directHandlerOf(fetch), respond);
    const others = [fetch.bind(application), Object.assign(fetch.bind(application), fetch)];
    assertEquals(others.map(directHandlerOf), [undefined, undefined]);
  });
});
