import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { toCurl } from "../../../src/lab/flows/curl.ts";
import type { WireRequest } from "../../../src/lab/recording/exchange.ts";

const url = "http://localhost:9000/oauth2/token";
const formType = { "content-type": "application/x-www-form-urlencoded" };

const request: WireRequest = {
  method: "POST",
  url,
  path: "/oauth2/token",
  headers: {},
  body: "",
  query: new URLSearchParams(),
  form: new URLSearchParams(),
};

function formRequest(body: string): Partial<WireRequest> {
  return { headers: formType, body, form: new URLSearchParams(body) };
}

const commands: ReadonlyArray<
  readonly [what: string, changes: Partial<WireRequest>, lines: readonly string[]]
> = [
  ["a page", { method: "GET", url: `${url}?a=b&c=d` }, [`curl '${url}?a=b&c=d'`]],
  ["a POST without a body", {}, [`curl ${url}`, "-X POST"]],
  ["a method that attacks the shell", { method: "A`id`|B" }, [`curl ${url}`, "-X 'A`id`|B'"]],
  ["a form", formRequest("code=c-1&redirect_uri=https%3A%2F%2Fa.test%2F%3Fx%3D1"), [
    `curl ${url}`,
    "--data-urlencode code=c-1",
    "--data-urlencode 'redirect_uri=https://a.test/?x=1'",
  ]],
  ["a form that attacks the shell", formRequest("code=%27%3B%20rm%20-rf%20%24HOME%20%23"), [
    `curl ${url}`,
    "--data-urlencode 'code='\\''; rm -rf $HOME #'",
  ]],
  ["JSON", { headers: { "content-type": "application/json" }, body: `{"it's":1}` }, [
    `curl ${url}`,
    "-H 'content-type: application/json'",
    `--data-raw '{"it'\\''s":1}'`,
  ]],
  ["the headers that a client sends on purpose", {
    method: "GET",
    headers: { authorization: "Bearer t-1", host: "localhost", "user-agent": "x", accept: "*/*" },
  }, [`curl ${url}`, "-H 'authorization: Bearer t-1'"]],
];

describe("A request as a curl command", () => {
  for (const [what, changes, lines] of commands) {
    it(`is right for ${what}`, () => {
      assertEquals(toCurl({ ...request, ...changes }), lines.join(" \\\n  "));
    });
  }
});
