import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  requestObjectParameters,
  requestObjectProblem,
} from "../../src/server/protocol/request_delivery.ts";

const now = 1_000_000;
const issuer = "https://id.example";
const good = { client_id: "app", iss: "app", aud: issuer, nbf: now, exp: now + 60 };

describe("requestObjectParameters (RFC 9101, section 4)", () => {
  it("repeats a parameter for a list of strings only", () => {
    const parameters = requestObjectParameters({ resource: ["urn:a", "urn:b"], scope: ["a", 5] });
    assertEquals(parameters.all("resource"), ["urn:a", "urn:b"]);
    assertEquals(parameters.all("scope"), ['["a",5]']);
  });

  it("turns other JSON into text, and leaves out null and what is about the JWT", () => {
    const claims = { max_age: 300, claims: { userinfo: null }, state: null };
    const parameters = requestObjectParameters({ ...good, ...claims, jti: "1", iat: now });
    assertEquals(parameters.get("max_age"), "300");
    assertEquals(parameters.get("claims"), '{"userinfo":null}');
    const absent = ["state", "iss", "aud", "nbf", "exp", "jti", "iat", "sub"];
    assertEquals(absent.filter((name) => parameters.get(name) !== undefined), []);
  });
});

describe("The times of a request object (FAPI 2.0 Message Signing, section 5.3.1)", () => {
  const hour = 3600;
  const tooOld = "its 'nbf' is more than an hour ago";
  const cases: Array<[what: string, times: object, problem: string | undefined]> = [
    ["nbf an hour ago", { nbf: now - hour, exp: now }, undefined],
    ["nbf a second earlier", { nbf: now - hour - 1, exp: now }, tooOld],
    ["nbf ten seconds ahead", { nbf: now + 10, exp: now + 60 }, undefined],
    ["nbf a second later", { nbf: now + 11, exp: now + 60 }, "its 'nbf' is in the future"],
    ["exp an hour after nbf", { nbf: now, exp: now + hour }, undefined],
    [
      "exp a second later",
      { nbf: now, exp: now + hour + 1 },
      "its 'exp' is more than an hour after its 'nbf'",
    ],
  ];
  for (const [what, times, problem] of cases) {
    it(`are ${problem === undefined ? "valid" : "refused"}: ${what}`, () => {
      const expected = { clientId: "app", issuer, needsTimes: true, now };
      assertEquals(requestObjectProblem({ ...good, ...times }, expected), problem);
    });
  }
});
