import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createCookieJar } from "../../src/server/http/cookies.ts";

const issuer = "https://id.example";
const secure = createCookieJar({ issuer, frontChannelUrl: issuer });
const [, written] = secure.write("session", "value");
const [name = ""] = written.split("=", 1);

describe("A cookie", () => {
  const attributes = "Path=/; HttpOnly; SameSite=Lax";
  const jars: Record<string, [header: string, expected: RegExp]> = {
    "on https": [
      written,
      /^__Host-hallpass-\w+-session=value; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    ],
    "on http": [
      createCookieJar({ issuer, frontChannelUrl: "http://localhost" }).write("a", "b")[1],
      new RegExp(`^hallpass-\\w+-a=b; ${attributes}$`),
    ],
    "for requests of this site alone": [
      createCookieJar({ issuer, frontChannelUrl: issuer, sameSite: "Strict" }).write("a", "b")[1],
      /; SameSite=Strict; Secure$/,
    ],
    "with an age": [secure.write("a", "b", 60)[1], /; Secure; Max-Age=60$/],
    "that is cleared": [secure.clear("a")[1], /-a=; .*; Max-Age=0$/],
  };
  for (const [what, [header, expected]] of Object.entries(jars)) {
    it(`is written ${what}`, () => assertEquals(expected.test(header), true, header));
  }

  it("has another name for another issuer", () => {
    const other = createCookieJar({ issuer: `${issuer}/other`, frontChannelUrl: issuer });
    assertNotEquals(other.write("session", "value"), secure.write("session", "value"));
  });

  const headers: Array<[header: string, value: string | undefined]> = [
    [`${name}=a`, "a"],
    [`other=b; ${name}=a; another=c`, "a"],
    [`${name} = a `, "a"],
    [`${name}=a=b`, "a=b"],
    [`${name}=a; ${name}=b`, "a"],
    [`${name}=`, undefined],
    [`${name}`, undefined],
    [`${name}x`, undefined],
    [`x${name}=a`, undefined],
    ["=a", undefined],
    ["", undefined],
  ];
  for (const [header, value] of headers) {
    it(`is read as ${value} from '${header}'`, () => {
      assertEquals(secure.read(new Headers({ Cookie: header }), "session"), value);
    });
  }
});
