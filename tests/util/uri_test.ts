import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isClientIdUrl } from "../../src/server/protocol/client_trust.ts";
import { issuerProblem } from "../../src/server/protocol/issuer_url.ts";
import { redirectUriProblem, webUriProblem } from "../../src/server/protocol/redirect_uri.ts";
import { isResourceUri } from "../../src/server/protocol/resource.ts";
import { isAbsoluteUri, isWebUrl } from "../../src/server/util/addresses/uri.ts";

/** Hosts that a URL parser accepts or repairs, and that mean something else elsewhere. */
const hostileHosts = [
  "a;sandbox",
  "a;report-uri",
  "a,b",
  "a'b",
  "a b",
  'a"b',
  "a%20b",
  "a%0d",
  "a%0d%0ab",
  "a%3bsandbox",
  "a%2eb",
  "a*b",
  "a!b",
  "a$b",
  "a&b",
  "a(b)",
  "a+b",
  "a=b",
  "a~b",
  "a|b",
  "a\\b",
  "a\tb",
  "user@a;b",
  "[::1%25eth0]",
  "[v1.x;y]",
  "ä.example",
];

const goodHosts = [
  "a",
  "a.example",
  "A.example",
  "a-b_c.example",
  "xn--bcher-kva.example",
  "a.example.",
  "127.0.0.1",
  "[::1]",
  "[2001:db8::1]",
];

describe("isAbsoluteUri (RFC 3986, section 3.2.2)", () => {
  for (const host of goodHosts) {
    it(`accepts the host ${host}`, () => {
      for (const port of ["", ":8443"]) {
        assertEquals(isAbsoluteUri(`https://${host}${port}/cb?x=a;b,c'd`), true);
      }
    });
  }

  for (const host of hostileHosts) {
    it(`M5: refuses the host ${JSON.stringify(host)}, under every scheme`, () => {
      for (const scheme of ["https", "http", "com.example.app", "wss"]) {
        assertEquals(isAbsoluteUri(`${scheme}://${host}/cb`), false);
      }
    });
  }

  it("accepts a URI without a host", () => {
    for (
      const uri of ["com.example.app:/cb", "com.example.app:///cb", "urn:example:api", "urn:a;b,c"]
    ) {
      assertEquals(isAbsoluteUri(uri), true);
    }
  });
});

describe("Everything that accepts a URI", () => {
  const readers: Record<string, (uri: string) => boolean> = {
    "redirect URIs": (uri) => redirectUriProblem(uri, true) === undefined,
    "logout URIs": (uri) => webUriProblem(uri, true) === undefined,
    "resources, and members that are https URLs": isResourceUri,
    "client URIs": isWebUrl,
    "metadata documents": (uri) => isClientIdUrl(uri),
    "issuers": (uri) => issuerProblem(uri, true) === undefined,
  };
  for (const [what, isAccepted] of Object.entries(readers)) {
    it(`M5: requires a plain host in ${what}`, () => {
      assertEquals(isAccepted("https://a.example/cb"), true);
      assertEquals(hostileHosts.filter((host) => isAccepted(`https://${host}/cb`)), []);
    });
  }
});
