import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { clientEndpoints } from "../features.ts";
import { basicHeaders } from "../support/corpora.ts";
import { basic, openKit, read } from "../support/kit.ts";

/** The client that each header would authenticate, if it were repaired. */
const clients = [{ id: "web", secret: "secret", scopes: ["read"] }];

const fields = { grant_type: "client_credentials", token: "a" };

describe("The corpus of malformed Basic headers (OAuth 2.1, section 2.4.1)", () => {
  it("has at least 60", () => {
    assert(basicHeaders.length >= 60, `${basicHeaders.length}`);
  });

  it("is about a client that can authenticate", async () => {
    const kit = openKit({ clients });
    assertEquals((await kit.token(fields, basic("web", "secret"))).status, 200);
  });

  for (const { what, header } of basicHeaders) {
    it(`T06 T09 authenticates nobody by ${what}`, () => checkRefused("token", header));
  }

  for (const endpoint of clientEndpoints) {
    it(`T06 T09 authenticates nobody at /oauth2/${endpoint} by the same rule`, async () => {
      for (const { header } of basicHeaders.slice(0, 5)) await checkRefused(endpoint, header);
    });
  }
});

async function checkRefused(endpoint: string, header: string): Promise<void> {
  const kit = openKit({ clients });
  const response = await kit.post(`/oauth2/${endpoint}`, fields, { Authorization: header });
  const { status, body, headers } = await read(response);
  assertEquals([status, body.error], [401, "invalid_client"], endpoint);
  assertMatch(headers.get("WWW-Authenticate") ?? "", /^Basic realm=/);
}
