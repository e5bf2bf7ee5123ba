import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  basePath,
  issuerProblem,
  issuerUrl,
  pathWithinIssuer,
  wellKnownPaths,
} from "../../src/server/protocol/issuer_url.ts";

describe("issuerProblem (RFC 8414, section 2)", () => {
  for (
    const issuer of [
      "https://id.example",
      "https://id.example/tenant/a",
      "http://localhost:9000",
      "http://127.0.0.1:1",
      "http://[::1]:1",
      // F5 (RFC 6761, section 6.3)
      "http://auth.localhost:9000",
      "https://id.example/",
      "https://id.example/tenant/",
      "https://id.example/realms/a%20b/protocol",
    ]
  ) {
    it(`accepts ${issuer}`, () => {
      assertEquals(issuerProblem(issuer, false), undefined);
    });
  }

  const bad: Array<[issuer: string, problem: RegExp]> = [
    ["id.example", /absolute/],
    ["ftp://id.example", /neither/],
    ["https://id.example?x", /query/],
    ["https://id.example#", /query/],
    ["https://a@id.example", /must be written as/],
    ["https://id.example:a@id.example", /must be written as/],
    ["https://id.example:443", /must be written as 'https:\/\/id.example'/],
    ["https://id.example?", /query/],
    ["HTTPS://id.example", /must be written as/],
    ["https://ID.example", /must be written as/],
    ["https://id.example/a/../b", /write it as '\/b'/],
    ["https://id.example/a b", /write it as '\/a%20b'/],
    ["https://id.example//evil.example", /empty segment/],
    ["https://id.example/a//", /empty segment/],
    ["https://id.example;script-src", /a host with characters other than/],
    ["https://id'.example", /a host with characters other than/],
    ["R06 http://id.example", /https/],
  ];
  for (const [title, problem] of bad) {
    it(`refuses ${title}`, () => {
      assertMatch(issuerProblem(title.replace("R06 ", ""), false) ?? "nothing", problem);
    });
  }

  it("R06 accepts http elsewhere only if allowed", () => {
    assertEquals(issuerProblem("http://hallpass:9000", true), undefined);
  });
});

describe("wellKnownPaths (RFC 8414, section 3; OpenID Connect Discovery, section 4)", () => {
  it("returns the root path for an issuer without a path", () => {
    assertEquals(wellKnownPaths("https://id.example", "/.well-known/x"), ["/.well-known/x"]);
  });

  it("returns the paths before and after the path of an issuer", () => {
    assertEquals(wellKnownPaths("https://id.example/a/b", "/.well-known/x"), [
      "/.well-known/x/a/b",
      "/a/b/.well-known/x",
    ]);
  });
});

describe("pathWithinIssuer (RFC 8414, section 3)", () => {
  const paths: Array<[path: string, base: string, expected: string | undefined]> = [
    ["/oauth2/token", "", "/oauth2/token"],
    ["/.well-known/x", "", "/.well-known/x"],
    ["/a/oauth2/token", "/a", "/oauth2/token"],
    ["/a", "/a", "/"],
    ["/.well-known/x/a", "/a", "/.well-known/x"],
    ["/a/.well-known/x", "/a", "/.well-known/x"],
    ["/ab/oauth2/token", "/a", undefined],
    ["/.well-known/x/other/a", "/a", undefined],
    ["/.well-known/a", "/a", undefined],
  ];
  for (const [path, base, expected] of paths) {
    it(`finds ${expected ?? "nothing"} in ${path} for an issuer at '${base}'`, () => {
      assertEquals(pathWithinIssuer(path, base), expected);
    });
  }
});

describe("issuerUrl", () => {
  it("does not double a slash", () => {
    assertEquals([
      issuerUrl("https://id.example/", "/t"),
      issuerUrl("https://id.example/a/", "/t"),
      basePath("https://id.example/"),
    ], ["https://id.example/t", "https://id.example/a/t", ""]);
  });
});
