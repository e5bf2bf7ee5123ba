import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createRouter,
  methodNotAllowed,
  methodsOf,
  notFound,
  requestPath,
  type RoutePattern,
} from "../../src/server/http/router.ts";

const table: readonly RoutePattern[] = [
  { method: "GET", path: "/" },
  { method: "GET", path: "/oauth2/token" },
  { method: "POST", path: "/oauth2/token" },
  { method: "GET", path: "/clients/:id" },
  { method: "DELETE", path: "/clients/:id" },
  { method: "POST", path: "/clients/:id/secret" },
  { method: "GET", path: "/a.b+c/:name" },
];
const find = createRouter(table);

describe("A router", () => {
  const found: Array<[method: string, path: string, at: number | undefined, segment: string]> = [
    ["GET", "/", 0, ""],
    ["HEAD", "/", 0, ""],
    ["GET", "/oauth2/token", 1, ""],
    ["POST", "/oauth2/token", 2, ""],
    ["PUT", "/oauth2/token", undefined, ""],
    ["GET", "/clients/a", 3, "a"],
    ["DELETE", "/clients/a%2Fb", 4, "a%2Fb"],
    ["POST", "/clients/a/secret", 5, "a"],
    ["GET", "/clients/", undefined, ""],
    ["GET", "/clients/a/b", undefined, ""],
    ["GET", "/a.b+c/d", 6, "d"],
    ["GET", "/aXbbc/d", undefined, ""],
    ["GET", "/OAuth2/token", undefined, ""],
  ];
  for (const [method, path, at, segment] of found) {
    it(`finds ${at === undefined ? "none" : `route ${at}`} for ${method} ${path}`, () => {
      const match = find(method, path);
      assertEquals(match.route, at === undefined ? undefined : table[at]);
      assertEquals(match.segment, segment);
    });
  }

  it("knows all routes of a path, and their methods", () => {
    assertEquals(find("PUT", "/oauth2/token").routes, table.slice(1, 3));
    assertEquals(methodsOf([...table.slice(1, 3), ...table.slice(1, 2)]), ["GET", "POST"]);
    const { status, details: { headers } } = methodNotAllowed(table.slice(1, 3));
    assertEquals([status, headers], [405, { Allow: "GET, POST" }]);
    assertEquals(notFound().status, 404);
  });

  const nearest: Array<[path: string, nearest: string | undefined]> = [
    ["/oauth2/tokens", "/oauth2/token"],
    ["/connect/token", "/oauth2/token"],
    ["/token", "/oauth2/token"],
    ["/elsewhere/altogether", undefined],
    ["/elsewhere/altogether/", undefined],
    [`/${"x".repeat(93)}/token`, "/oauth2/token"],
    [`/${"x".repeat(94)}/token`, undefined],
  ];
  for (const [path, expected] of nearest) {
    it(`${expected ? `thinks of ${expected}` : "knows none"} for ${path}`, () =>
      assertEquals(find("GET", path).findNearest?.()?.path, expected));
  }
});

describe("The path of a request", () => {
  const hosts: Array<[host: string | undefined, isRouted: boolean]> = [
    [undefined, true],
    ["id.example", true],
    ["id.example:8443", true],
    ["[::1]:80", true],
    ["id.example/x", false],
    ["a b", false],
    ["a@b", false],
    ["", false],
  ];
  for (const [host, isRouted] of hosts) {
    it(`is ${isRouted ? "known" : "none"} with the Host ${host}`, () => {
      // The platform's own request lets no program set this header everywhere.
      const get = (name: string) => name === "Host" ? host ?? null : null;
      const request = { url: "https://id.example/a/b?c=/d", headers: { get } };
      assertEquals(requestPath(request as unknown as Request), isRouted ? "/a/b" : undefined);
    });
  }

  // Keycloak 26.4.4: a filter in front of the server compares another text than the server does.
  const written: Array<[path: string, expected: string | undefined]> = [
    ["/oauth2/register", "/oauth2/register"],
    ["/clients/a%2Fb;c=d,e~'", "/clients/a%2Fb;c=d,e~'"],
    ["//oauth2/register", "//oauth2/register"],
    ["", "/"],
    ["?a=/../b", "/"],
    ["/authorized#code=/../b", "/authorized"],
    ["/x/../oauth2/register", undefined],
    ["/./oauth2/register", undefined],
    ["/oauth2/%2e%2E/register", undefined],
    ["/oauth2\\register", undefined],
    ["\\oauth2/register", undefined],
    ["/oauth2/regi\tster", undefined],
    ["/x/../oauth2/register#/x/../oauth2/register", undefined],
  ];
  for (const [path, expected] of written) {
    it(`is ${expected ?? "none"} where it is written as ${JSON.stringify(path)}`, () => {
      const request = { url: `https://id.example${path}`, headers: new Headers() };
      assertEquals(requestPath(request), expected);
    });
  }

  it("is none where the URL is invalid", () => {
    const request = { url: "https://", headers: new Headers() };
    assertEquals(requestPath(request as Request), undefined);
  });
});
