import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { diagnosePublicView } from "../../../src/program/doctor/diagnose_public_view.ts";
import {
  type CertificateView,
  type PublicNetwork,
  readPublicView,
} from "../../../src/program/doctor/public_view.ts";
import { createInternalServer } from "../../../src/server/server.ts";

const issuer = "https://id.example";
const now = Date.parse("2026-01-01T00:00:00Z");
const day = 24 * 60 * 60 * 1000;
const trusted: CertificateView = { kind: "trusted", validUntil: now + 60 * day };

/** What a proxy in front of the server makes of it. */
interface Proxy {
  certificate?: CertificateView;
  /** Changes the headers of a page. */
  rewrite?: (headers: Headers) => void;
  /** What http responds; undefined if nothing listens. */
  plain?: () => Response;
  /** How far the server's clock is ahead, in seconds. */
  ahead?: number;
}

/** Returns the findings about a real server behind a proxy. */
async function findings(proxy: Proxy): Promise<Array<[level: string, message: string]>> {
  const server = createInternalServer({ issuer, trustedProxies: "loopback" });
  const respond = async (request: Request) => {
    const response = await server.fetch(request);
    const headers = new Headers(response.headers);
    headers.set("Date", new Date(now + (proxy.ahead ?? 0) * 1000).toUTCString());
    headers.set("Strict-Transport-Security", "max-age=31536000");
    proxy.rewrite?.(headers);
    return new Response(response.body, { status: response.status, headers });
  };
  const network: PublicNetwork = {
    async fetch(url, init) {
      if (url.startsWith("https:")) return await respond(new Request(url, init));
      if (!proxy.plain) throw new TypeError("connection refused");
      return proxy.plain();
    },
    certificateOf: async () => proxy.certificate ?? trusted,
    now: () => now,
  };
  const found = diagnosePublicView(await readPublicView(issuer, network), issuer, now);
  await server.close();
  return found.map(({ level, message }) => [level, message]);
}

const redirectTo = (location: string) => () =>
  new Response(null, { status: 301, headers: { Location: location } });

describe("What a browser sees of a server for real use", () => {
  it("is fine behind a proxy that passes everything on", async () => {
    const found = await findings({ plain: redirectTo("https://id.example/") });
    assertEquals(found, [
      ["ok", "The certificate is trusted, and valid for 60 more days."],
      ["ok", "The server's clock agrees with this machine's."],
      ["ok", "Pages arrive with their headers and their cookie."],
      ["ok", "http://id.example redirects to https."],
    ]);
  });

  const untrusted = (code: string): CertificateView => ({ kind: "untrusted", code });
  const setCookie = (change: (cookie: string) => string) => (headers: Headers) => {
    const [cookie = ""] = headers.getSetCookie();
    headers.set("Set-Cookie", change(cookie));
  };
  const cases: Array<[what: string, proxy: Proxy, level: string, says: RegExp]> = [
    [
      "a certificate that ends soon",
      { certificate: { kind: "trusted", validUntil: now + 13 * day } },
      "note",
      /valid for 13 more days\. Renew it\./,
    ],
    [
      "a certificate without its chain",
      { certificate: untrusted("UNABLE_TO_VERIFY_LEAF_SIGNATURE") },
      "problem",
      /not trusted: its authority is not known.*fullchain\.pem\./,
    ],
    [
      "an expired certificate",
      { certificate: untrusted("CERT_HAS_EXPIRED") },
      "problem",
      /it has expired\. Renew it\./,
    ],
    ["a code without an explanation", { certificate: untrusted("ODD") }, "problem", /: ODD\./],
    [
      "a certificate that cannot be read",
      { certificate: { kind: "unknown", reason: "nothing is listening on that port" } },
      "problem",
      /cannot be read: nothing is listening/,
    ],
    ["a clock that is a bit ahead", { ahead: 30 }, "note", /30 seconds ahead of this machine's/],
    ["a clock that is far behind", { ahead: -61 }, "problem", /61 seconds behind .* NTP/],
    [
      "a proxy that removes a header",
      { rewrite: (headers) => headers.delete("Content-Security-Policy") },
      "problem",
      /without Content-Security-Policy/,
    ],
    [
      "a proxy that adds to a header",
      { rewrite: (headers) => headers.append("X-Frame-Options", "SAMEORIGIN") },
      "problem",
      /X-Frame-Options: DENY, SAMEORIGIN/,
    ],
    [
      "no HSTS",
      { rewrite: (headers) => headers.delete("Strict-Transport-Security") },
      "note",
      /no Strict-Transport-Security/,
    ],
    [
      "a proxy that removes the cookie",
      { rewrite: (headers) => headers.delete("Set-Cookie") },
      "problem",
      /does not arrive, so users cannot sign in/,
    ],
    [
      "a proxy that changes the path of the cookie",
      { rewrite: setCookie((cookie) => cookie.replace("Path=/", "Path=/id")) },
      "problem",
      /was changed on its way/,
    ],
    [
      "a proxy that gives the cookie a domain",
      { rewrite: setCookie((cookie) => `${cookie}; Domain=id.example`) },
      "problem",
      /was changed on its way/,
    ],
    [
      "a proxy that takes Secure from the cookie",
      { rewrite: setCookie((cookie) => cookie.replace("; Secure", "")) },
      "problem",
      /was changed on its way/,
    ],
    ["pages by http", { plain: () => new Response("x") }, "problem", /in the clear/],
    ["an error by http", { plain: () => new Response("x", { status: 404 }) }, "note", /status 404/],
    [
      "a redirect to another host",
      { plain: redirectTo("https://other.example/") },
      "problem",
      /status 301 in place of a redirect to https:\/\/id\.example/,
    ],
    [
      "a redirect that stays with http",
      {
        plain: redirectTo("http://id.example/x"),
      },
      "problem",
      /status 301/,
    ],
  ];
  for (const [what, proxy, level, says] of cases) {
    it(`is a ${level} with ${what}`, async () => {
      const [found = ["", ""]] = (await findings(proxy)).filter(([level]) => level !== "ok");
      assertEquals(found[0], level);
      assertMatch(found[1], says);
    });
  }
});
