import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  requestObjectParameters,
  requestObjectProblem,
} from "../../src/server/protocol/request_object.ts";

const now = 1_000_000;
const issuer = "https://id.example";
const good = { client_id: "app", iss: "app", aud: issuer, nbf: now, exp: now + 60 };

function problemOf(change: object, needsTimes = true): string | undefined {
  return requestObjectProblem({ ...good, ...change }, { clientId: "app", issuer, needsTimes, now });
}

describe("requestObjectProblem (RFC 9101, sections 4 and 6.3)", () => {
  const valid: Array<[change: object, needsTimes: boolean]> = [
    [{}, true],
    [{ iss: undefined, sub: "zoe", aud: ["https://other.example", issuer] }, true],
    [{ nbf: now - 3600, exp: now }, true],
    [{ nbf: undefined, exp: undefined }, false],
    [{ nbf: now - 3600, exp: now + 3600 }, false],
  ];
  for (const [change, needsTimes] of valid) {
    it(`is undefined for ${JSON.stringify(change)}, times ${needsTimes ? "" : "not "}needed`, () => {
      assertEquals(problemOf(change, needsTimes), undefined);
    });
  }

  const bad: Array<[change: object, problem: string]> = [
    [{ request: "x" }, "it refers to another request object"],
    [{ request_uri: "x" }, "it refers to another request object"],
    [{ client_id: "other" }, "its 'client_id' is not that of the request"],
    [{ client_id: undefined }, "its 'client_id' is not that of the request"],
    [{ iss: "other" }, "its 'iss' is not the client_id"],
    [{ sub: "app" }, "its 'sub' is the client_id"],
    [{ aud: ["https://other.example"] }, `its 'aud' is not '${issuer}'`],
    [{ aud: undefined }, `its 'aud' is not '${issuer}'`],
    [{ nbf: undefined }, "it has no 'nbf'"],
    [{ nbf: now - 3601 }, "its 'nbf' is more than an hour ago"],
    [{ nbf: now - 60, exp: now + 3541 }, "its 'exp' is more than an hour after its 'nbf'"],
    [{ exp: undefined }, "it has no 'exp'"],
    [{ exp: now - 10 }, "it expired 10 seconds ago"],
  ];
  for (const [change, problem] of bad) {
    it(`is "${problem}" for ${JSON.stringify(change)}`, () => {
      assertEquals(problemOf(change), problem);
    });
  }
});

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
