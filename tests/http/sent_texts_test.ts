import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readText } from "../../src/http/body.ts";
import { sentTexts } from "../../src/http/sent_texts.ts";
import { encodeBase64url } from "../../src/util/base64url.ts";

/** Returns what a request sent, without the empty texts. */
async function sentBy(query: string, body: string, isRead = true) {
  const request = new Request(`https://x/path${query}`, { method: "POST", body });
  if (isRead) await readText(request);
  const { names, values } = await sentTexts(request);
  const full = (texts: ReadonlySet<string>) => [...texts].filter((text) => text !== "").sort();
  return { names: full(names), values: full(values) };
}

describe("Every text that a request sent", () => {
  const cases: Array<[what: string, query: string, body: string, names: string[], more: string[]]> =
    [
      ["a query", "?a=b&c=d", "", ["a", "c"], ["b", "d"]],
      ["a form", "", "a=b%20c&d", ["a", "d"], ["a=b%20c&d", "b", "b c", "c"]],
      ["both", "?a=1", "b=2", ["a", "b"], ["1", "2", "b=2"]],
      ["what is not encoded", "?a=%zz", "", ["a"], ["%zz"]],
      ["JSON in a parameter", '?a={"b":["c d",1]}', "", ["a"], [
        '{"b":["c',
        '{"b":["c d",1]}',
        "b",
        "c",
        "c d",
        "d",
        'd",1]}',
      ]],
    ];
  for (const [what, query, body, names, more] of cases) {
    it(`includes ${what}`, async () => {
      const values = [...names, ...more].sort();
      assertEquals(await sentBy(query, body), { names, values });
    });
  }

  it("includes the names and texts in a body of JSON", async () => {
    const { values } = await sentBy("", '{"a":{"b":[null,"c=d"]}}');
    assertEquals(["a", "b", "c=d"].every((text) => values.includes(text)), true, `${values}`);
  });

  it("V4: includes the parameters in a request object, as messages repeat them", async () => {
    const claims = { scope: "openid other", claims: { userinfo: { email: null } } };
    const request = [{ alg: "ES256", kid: "a-key" }, claims]
      .map((part) => encodeBase64url(JSON.stringify(part))).join(".");
    const { values } = await sentBy(`?request=${request}.c2ln`, "");
    const expected = ["a-key", "openid other", "other", '{"userinfo":{"email":null}}', "email"];
    assertEquals(expected.filter((text) => !values.includes(text)), []);
  });

  it("V4: includes a text of three parts that is no JWT as it is", async () => {
    assertEquals((await sentBy("?a=x.y.z", "")).values, ["a", "x.y.z"]);
  });

  it("includes no body that was not read", async () => {
    assertEquals(await sentBy("?a=b", "c=d", false), { names: ["a"], values: ["a", "b"] });
  });
});
