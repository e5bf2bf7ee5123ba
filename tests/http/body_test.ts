import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createIncomingRequest,
  type IncomingRequest,
  mediaType,
  readForm,
  readJson,
  type RequestTransport,
} from "../../src/server/http/incoming_request.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule, createRuleLog } from "../../src/server/protocol/rule.ts";

const max = 64 * 1024;
const form = "application/x-www-form-urlencoded";

/** Makes a request whose length is announced, unless it is undefined. */
function post(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  length?: number,
  transport?: RequestTransport,
): IncomingRequest {
  const headers = new Headers({ "Content-Type": type });
  if (length !== undefined) headers.set("Content-Length", `${length}`);
  return createIncomingRequest(
    new Request("https://x", { method: "POST", body, headers }),
    transport,
  );
}

/** Returns the status of the error that reading ends with, and what it says; undefined for none. */
async function refusalOf(reading: Promise<unknown>): Promise<[number, string] | undefined> {
  return await reading.then(() => undefined, (cause) => {
    assertEquals(cause instanceof OAuthError, true, `${cause}`);
    return [cause.status, cause.message];
  });
}

describe("The media type of a body", () => {
  const types: Array<[header: string, type: string]> = [
    ["application/json", "application/json"],
    [" Application/JSON ; x=y", "application/json"],
    ["application/json; charset=UTF-8", "application/json"],
    ['application/json; charset="utf-8"', "application/json"],
    ["application/json; charset=latin1", ""],
    ["application/json; charset=utf-8; charset=latin1", ""],
    ["application/json; charset=utf-88", ""],
  ];
  for (const [header, type] of types) {
    it(`is '${type}' with '${header}'`, () =>
      assertEquals(mediaType(post("", header).headers), type));
  }

  it("decides what the body is read as", async () => {
    const json = { apply: applyRule, request: post("{}", "application/json") };
    const fields = { apply: applyRule, request: post("a=b", form) };
    assertEquals(await readJson(json), {});
    assertEquals((await readForm(fields)).get("a"), "b");
    assertEquals(await refusalOf(readForm(json)), [400, `The Content-Type must be ${form}.`]);
    assertEquals(await refusalOf(readJson(fields)), [
      400,
      "The Content-Type must be application/json.",
    ]);
    const broken = readJson({ ...json, request: post("{", "application/json") });
    assertEquals(await refusalOf(broken), [400, "The body must be a JSON document."]);
  });
});

describe("A body", () => {
  const tooLarge: [number, string] = [413, "The body must have at most 64 kB."];
  const sizes: Array<[what: string, size: number, length: number | undefined]> = [
    ["as it arrives", max, undefined],
    ["as announced", max, max],
    ["as it arrives", max + 1, undefined],
    ["as announced", max + 1, max + 1],
    ["as announced, though it is shorter", 1, max + 1],
  ];
  for (const [what, size, length] of sizes) {
    const isTooLarge = size > max || (length ?? 0) > max;
    it(`of ${size} bytes is ${isTooLarge ? "too large" : "read"} ${what}`, async () => {
      const reading = post("x".repeat(size), form, length).text();
      assertEquals(await refusalOf(reading), isTooLarge ? tooLarge : undefined);
    });
  }

  for (const size of [max, max + 1]) {
    it(`of ${size} bytes is counted without a stream of them, which Firefox does not have`, async () => {
      const request = new Request("https://x", { method: "POST", body: "x".repeat(size) });
      Object.defineProperty(request, "body", { value: undefined });
      const reading = createIncomingRequest(request).text().then(({ length }) => length);
      if (size > max) assertEquals(await refusalOf(reading), tooLarge);
      else assertEquals(await reading, size);
    });
  }

  const broken: Array<[what: string, body: Uint8Array<ArrayBuffer>, problem: string]> = [
    ["bytes that are no UTF-8", new Uint8Array([0xff]), "The body must be UTF-8."],
    [
      "a byte order mark",
      new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
      "The body must not begin with a byte order mark.",
    ],
  ];
  for (const [what, body, problem] of broken) {
    it(`with ${what} is refused`, async () =>
      assertEquals(await refusalOf(post(body, form).text()), [400, problem]));
  }

  it("may end with a byte order mark", async () => {
    const body = new Uint8Array([0x61, 0xef, 0xbb, 0xbf]);
    assertEquals(await post(body, form).text(), "a\ufeff");
  });

  it("that breaks off is refused", async () => {
    const readBytes = () => Promise.reject(new Error("reset"));
    assertEquals(await refusalOf(post("x", form, 1, { readBytes }).text()), [
      400,
      "The body must arrive completely.",
    ]);
  });

  it("that an application has read before is refused", async () => {
    const request = new Request("https://x", {
      method: "POST",
      headers: { "Content-Type": form },
      body: "a=b",
    });
    for await (const _ of request.body ?? []);
    const reading = readForm({ request: createIncomingRequest(request), apply: applyRule });
    assertEquals((await refusalOf(reading))?.[1], "The body must arrive completely.");
  });

  it("is read once, and known from then on", async () => {
    const request = post("a=b", form);
    assertEquals(request.isBodyUsed(), false);
    assertEquals([await request.text(), await request.text()], ["a=b", "a=b"]);
    assertEquals(request.isBodyUsed(), true);
  });
});

describe("A body that was read", () => {
  it("notes every rule about its bytes, each time that it is read", async () => {
    const request = post("code=a", form);
    for (let time = 0; time < 2; time++) {
      const { applied, apply } = createRuleLog(false);
      await readForm({ request, apply });
      assertEquals(applied.map(({ rule }) => rule.id).slice(0, 6), [
        ...["body.form", "body.size", "body.time", "body.complete", "body.utf8", "body.mark"],
      ]);
    }
  });
});
