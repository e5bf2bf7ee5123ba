import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { fetchByOrigin } from "../../../../src/lab/handling/page_origin.ts";
import { OutboundError } from "../../../../src/server/http/outbound_fetch.ts";
import { openLabKit } from "../../../support/kit.ts";

const addresses = { issuer: "http://hallpass:9000", frontChannelUrl: "http://localhost:9000" };

describe("L3: a lab that may fetch from this machine", () => {
  const [client_id, redirect_uri] = ["https://app.example/client.json", "https://app.example/cb"];
  const document = { client_id, redirect_uris: [redirect_uri] };

  /** Says which of the two ways a request made the lab go. */
  async function wayOf(headers: Record<string, string>): Promise<string[]> {
    const ways: string[] = [];
    const way = (name: string) => async () => {
      ways.push(name);
      return Response.json(document);
    };
    const fetchUntrusted = fetchByOrigin(way("anywhere"), way("public"));
    const kit = openLabKit({ ...addresses, fetchUntrusted });
    await kit.push({ client_id, redirect_uri }, headers);
    return ways;
  }

  const origins: Array<[origin: string, way: string]> = [
    ["http://hallpass:9000", "anywhere"],
    ["http://localhost:9000", "anywhere"],
    ["http://localhost:3000", "anywhere"],
    ["http://127.0.0.1:5173", "anywhere"],
    ["http://app.localhost", "anywhere"],
    ["https://evil.example", "public"],
    ["http://hallpass.evil.example:9000", "public"],
    ["http://192.168.1.5", "public"],
    ["null", "public"],
    ["nonsense", "public"],
  ];
  for (const [origin, way] of origins) {
    it(`fetches from ${way} for a page of ${origin}`, async () => {
      assertEquals(await wayOf({ Origin: origin }), [way]);
    });
  }

  const withoutOrigin: Array<[site: string, destination: string, way: string]> = [
    ["cross-site", "image", "public"],
    ["cross-site", "iframe", "public"],
    ["cross-site", "empty", "public"],
    ["cross-site", "document", "anywhere"],
    ["same-site", "iframe", "anywhere"],
    ["none", "document", "anywhere"],
  ];
  for (const [site, destination, way] of withoutOrigin) {
    it(`L3: fetches from ${way} for a ${site} request for a ${destination} without Origin`, async () => {
      const headers = { "Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination };
      assertEquals(await wayOf(headers), [way]);
    });
  }

  it("fetches from anywhere for programs, which send no Origin", async () => {
    assertEquals(await wayOf({}), ["anywhere"]);
  });

  it("reports why it fetched nothing", async () => {
    const refuse = () =>
      Promise.reject(new OutboundError("the host 'localhost' has no public address"));
    const kit = openLabKit({ ...addresses, fetchUntrusted: fetchByOrigin(refuse, refuse) });
    await kit.push({ client_id }, { Origin: "https://evil.example" });
    const events = kit.events.map((event) => "reason" in event ? event.reason : "");
    assertMatch(events.join(), /has no public address.*page of another origin/);
  });
});
