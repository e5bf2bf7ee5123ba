import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openKit, openStrictKit } from "../support/kit.ts";
import { withAddress } from "../support/with_address.ts";

/** A request as a runtime makes it of a `Host` that no URL can have. */
class UnreadableRequest extends Request {
  override get url(): string {
    return "http://1.2.3.999/";
  }
}

describe("A request whose URL cannot be parsed", () => {
  for (const peer of [undefined, "192.0.2.1", "10.0.0.1"]) {
    for (const Accept of ["text/html", "application/json"]) {
      it(`S8: is refused as ${Accept}, and noted, from ${peer}`, async () => {
        const kit = openStrictKit({ trustedProxies: ["10.0.0.1"] });
        const request = new UnreadableRequest(`${kit.issuer}/`, { headers: { Accept } });
        const response = await kit.server.fetch(withAddress(request, peer));
        assertEquals(response.status, 400);
        assertEquals(kit.events.filter(({ type }) => type === "request.refused").length, 1);
      });
    }
  }
});

describe("A server behind a proxy", () => {
  const cases: Array<
    [what: string, peer: string | undefined, header: Record<string, string>, peers: string[]]
  > = [
    ["reports once that a peer is not trusted", "10.0.0.9", { "X-Forwarded-For": "1.2.3.4" }, [
      "10.0.0.9",
    ]],
    ["reports the header Forwarded as well", "10.0.0.9", { Forwarded: "for=1.2.3.4" }, [
      "10.0.0.9",
    ]],
    ["has nothing to report of a trusted proxy", "::ffff:10.0.0.1", {
      "X-Forwarded-For": "1.2.3.4",
    }, []],
    ["has nothing to report of a direct request", "10.0.0.9", {}, []],
    [
      "has nothing to report where it knows no peer",
      undefined,
      { "X-Forwarded-For": "1.2.3.4" },
      [],
    ],
  ];
  for (const [what, peer, headers, peers] of cases) {
    it(`M4: ${what}`, async () => {
      const kit = openKit({ trustedProxies: ["10.0.0.1"] });
      for (let time = 0; time < 3; time++) {
        await kit.server.fetch(withAddress(new Request(`${kit.issuer}/health`, { headers }), peer));
      }
      const reported = kit.events.filter(({ type }) => type === "forwarded_header.ignored");
      assertEquals(reported, peers.map((peer) => ({ type: "forwarded_header.ignored", peer })));
    });
  }

  const unnamed: Array<[what: string, peer: string | undefined, url: string, peers: string[]]> = [
    ["reports once that a trusted proxy names no sender", "10.0.0.1", "", ["10.0.0.1"]],
    ["has nothing to report of a direct request", "10.0.0.9", "", []],
    ["has nothing to report of a probe by another name", "10.0.0.1", "http://localhost:9000", []],
    ["has nothing to report where it knows no peer", undefined, "", []],
  ];
  for (const [what, peer, origin, peers] of unnamed) {
    it(`M4: ${what}, without X-Forwarded-For`, async () => {
      const kit = openKit({ trustedProxies: ["10.0.0.1"] });
      const url = `${origin || kit.issuer}/health`;
      for (let time = 0; time < 3; time++) {
        await kit.server.fetch(withAddress(new Request(url), peer));
      }
      const reported = kit.events.filter(({ type }) => type === "forwarded_header.missing");
      assertEquals(reported, peers.map((peer) => ({ type: "forwarded_header.missing", peer })));
    });
  }
});
