import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  describeReceiver,
  isNativeUri,
  redirectUriMatches,
  redirectUriProblem,
} from "../../src/server/protocol/redirect_uri.ts";

describe("redirectUriProblem (OAuth 2.1, section 2.3)", () => {
  const good = [
    "https://app.example/cb",
    "https://app.example/cb?tenant=1",
    "https://app.example:8443/cb",
    "http://localhost:3000/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:9/cb",
    "F5 http://app.localhost:3000/cb",
    "F5 http://a.b.localhost/cb",
    "com.example.app:/cb",
    "com.example.app://cb",
    "A12 https://app.example",
    "A12 https://app.example?x=1",
    "A12 http://localhost:3000",
  ];
  for (const title of good) {
    const uri = title.replace(/^(?:A\d\d|F5) /, "");
    it(`accepts ${title}`, () => {
      assertEquals(redirectUriProblem(uri), undefined);
    });
  }

  const bad: Array<[uri: string, problem: RegExp]> = [
    ["A12 /cb", /absolute/],
    ["A12 https://app.example*", /wildcard/],
    ["A12 http://app.example", /not loopback/],
    ["A12 app.example/cb", /absolute/],
    ["A16 https://app.example/cb#x", /fragment/],
    ["A16 https://app.example/cb#", /fragment/],
    ["A17 myapp:/cb", /reversed domain name/],
    ["A18 http://app.example/cb", /not loopback/],
    ["A18 http://localhost.evil.example/cb", /not loopback/],
    ["A18 http://evillocalhost/cb", /not loopback/],
    ["A18 http://.localhost/cb", /not loopback/],
    ["A18 http://127.0.0.1.evil.example/cb", /not loopback/],
    ["A18 http://localhost:80@evil.example/cb", /user information/],
    ["A18 javascript:alert(1)", /forbidden scheme/],
    ["A18 JavaScript:alert(1)", /forbidden scheme/],
    ["A18 data:text/html,x", /forbidden scheme/],
    ["A18 file:///etc/passwd", /forbidden scheme/],
    ["A18 blob:https://app.example/1", /forbidden scheme/],
    ["A18 vbscript:x", /forbidden scheme/],
    ["A18 about:blank", /forbidden scheme/],
    ["A18 ws://app.example/cb", /forbidden scheme/],
    ["A18 wss://app.example/cb", /forbidden scheme/],
    ["A18 ftp://app.example/cb", /forbidden scheme/],
    ["https://*.app.example/cb", /wildcard/],
    ["https://user:pass@app.example/cb", /user information/],
    ["https://@app.example/cb", /user information/],
    ["https://:@app.example/cb", /user information/],
    ["com.example.app://@host/cb", /user information/],
    ["https:app.example/cb", /absolute/],
    ["https:\\\\app.example\\cb", /absolute/],
    ["https://app.example/c b", /absolute/],
    ["https://app.example/cb\n", /absolute/],
    ["https://äpp.example/cb", /absolute/],
    ["https://app.example:99999/cb", /absolute/],
    ["https:///cb", /absolute|host/],
    ["http://[::1%25eth0]/cb", /absolute/],
    ["//app.example/cb", /absolute/],
  ];
  for (const [title, problem] of bad) {
    const uri = title.replace(/^A\d\d /, "");
    it(`refuses ${JSON.stringify(title)}`, () => {
      assertMatch(redirectUriProblem(uri) ?? "nothing", problem);
    });
  }
});

describe("redirectUriMatches (RFC 3986, section 6.2.1)", () => {
  const registered = "https://app.example/cb?x=1";

  it("A13 accepts the identical URI", () => {
    assertEquals(redirectUriMatches(registered, registered, false), true);
  });

  it("F5: allows no other port below localhost, which another program may serve", () => {
    const [one, other] = ["http://app.localhost:3000/cb", "http://app.localhost:3001/cb"];
    assertEquals([redirectUriMatches(one, other, true), isNativeUri(one)], [false, false]);
  });

  const others = [
    "https://app.example/cb",
    "https://app.example/cb?x=1&y=2",
    "https://app.example/cb?x=2",
    "https://app.example/cb/?x=1",
    "https://app.example/CB?x=1",
    "https://APP.example/cb?x=1",
    "HTTPS://app.example/cb?x=1",
    "https://app.example:443/cb?x=1",
    "https://app.example./cb?x=1",
    "https://app.example/%63b?x=1",
    "https://app.example/./cb?x=1",
    "https://app.example/a/../cb?x=1",
    "https://app.example/cb%2f..%2fcb?x=1",
    "https://app.example/cb/..;/cb?x=1",
    "https://user@app.example/cb?x=1",
    "https://app.example@evil.example/cb?x=1",
    "https://app.example.evil.example/cb?x=1",
    "https://evil.example/https://app.example/cb?x=1",
    "https://app.example/cb?x=1#",
    "https://app.example/cb?x=1%00",
    " https://app.example/cb?x=1",
    "https://app.example/cb?x=1 ",
    "https://app.example/cb?x=1\t",
    "https:\\\\app.example/cb?x=1",
    "https:app.example/cb?x=1",
    "//app.example/cb?x=1",
    "https:///app.example/cb?x=1",
    "https://app.example:443:443/cb?x=1",
    "https://xn--app-example/cb?x=1",
    "http://app.example/cb?x=1",
    "javascript:alert(1)//https://app.example/cb?x=1",
    "https://rp/cb%3Fcode%3Devil",
    "",
  ];
  for (const other of others) {
    it(`A13 does not match ${JSON.stringify(other)}`, () => {
      assertEquals(redirectUriMatches(registered, other, true), false);
    });
  }
});

describe("redirectUriMatches for a URI with an empty path (RFC 3986, section 3.3)", () => {
  const others = [
    "http://localhost:3000/",
    "http://localhost:3000/cb",
    "http://localhost:3000?x=1",
    "http://localhost:3000.evil.example",
    "http://localhost:3000@evil.example",
    "http://localhost:30001",
    "http://localhost",
  ];
  for (const native of [false, true]) {
    it(`A12 accepts the identical URI of ${native ? "a native app" : "a web client"}`, () => {
      assertEquals(
        redirectUriMatches("http://localhost:3000", "http://localhost:3000", native),
        true,
      );
    });
  }
  for (const other of others) {
    it(`A12 A13 does not match http://localhost:3000 with ${other}`, () => {
      assertEquals(redirectUriMatches("http://localhost:3000", other, false), false);
      assertEquals(redirectUriMatches(other, "http://localhost:3000", false), false);
    });
  }

  it("A12 A14 does not match http://localhost:3000 with a slash for a native app either", () => {
    assertEquals(
      redirectUriMatches("http://localhost:3000", "http://localhost:3000/", true),
      false,
    );
  });
});

describe("redirectUriMatches for native apps (RFC 8252, section 7.3)", () => {
  for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
    it(`A14 B01 allows a different port for ${host}`, () => {
      assertEquals(redirectUriMatches(`http://${host}/cb`, `http://${host}:51234/cb`, true), true);
      assertEquals(
        redirectUriMatches(`http://${host}:3000/cb`, `http://${host}:51234/cb`, true),
        true,
      );
    });
  }

  const others = [
    "http://127.0.0.1:1/other",
    "http://127.0.0.1:1/cb?x=1",
    "http://127.0.0.1:1/CB",
    "http://127.0.0.1:1/cb/",
    "http://127.0.0.1:1",
    "https://127.0.0.1:1/cb",
    "http://localhost:1/cb",
    "http://[::1]:1/cb",
    "http://127.0.0.2:1/cb",
    "http://127.0.0.1:1@evil.example/cb",
    "http://127.0.0.1:99999/cb",
    "http://127.0.0.1:/cb",
    "http://127.0.0.1:1:2/cb",
    "http://127.0.0.1.evil.example:1/cb",
    "http://evil.example/cb",
    "http://127.0.0.1:1\\@evil.example/cb",
    "http://127.1:1/cb",
    "http://0x7f.0.0.1:1/cb",
  ];
  for (const other of others) {
    it(`A14 does not match http://127.0.0.1/cb with ${other} (CVE-2020-15233)`, () => {
      assertEquals(redirectUriMatches("http://127.0.0.1/cb", other, true), false);
    });
  }

  it("A14 allows every port, and no number beyond", () => {
    const matches = (port: number) =>
      redirectUriMatches("http://127.0.0.1/cb", `http://127.0.0.1:${port}/cb`, true);
    assertEquals([1, 65_535, 65_536].map(matches), [true, true, false]);
  });

  it("A14 allows no different port for a web client", () => {
    assertEquals(
      redirectUriMatches("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", false),
      false,
    );
  });

  it("A14 allows no different port with https or on other hosts (ts-oauth2-server changelog)", () => {
    assertEquals(redirectUriMatches("https://127.0.0.1/cb", "https://127.0.0.1:2/cb", true), false);
    assertEquals(
      redirectUriMatches("http://app.example/cb", "http://app.example:2/cb", true),
      false,
    );
  });
});

describe("describeReceiver", () => {
  it("F5: names no host below localhost, which may look like that of anyone", () => {
    const uris = ["http://bank.example.localhost/cb", "http://localhost/cb"];
    assertEquals(uris.map(describeReceiver), Array(2).fill("a program on this device"));
    assertEquals(describeReceiver("https://bank.example/cb"), "bank.example");
  });
});

describe("isNativeUri", () => {
  it("is true for URIs that only a program on the user's machine can receive", () => {
    assertEquals(
      [
        "http://localhost/cb",
        "com.example.app:/cb",
        "https://app.example/cb",
        "http://app.example/cb",
      ].map(isNativeUri),
      [true, true, false, false],
    );
  });
});
