import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { requestObjectParameters } from "../../src/server/protocol/request_delivery.ts";

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
