import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { redirectUriMatches } from "../../src/server/protocol/redirect_uri.ts";
import { type LookAlikes, redirectUris } from "../support/corpora.ts";
import { type Kit, openKit } from "../support/kit.ts";

const clientId = "demo-spa";

const total = redirectUris.flatMap(({ lookAlikes }) => Object.values(lookAlikes).flat()).length;

/** Opens a server with a client that has one URI. */
function openWith({ registered, native }: LookAlikes): Kit {
  return openKit({ clients: [{ id: clientId, native, redirectUris: [registered] }] });
}

async function outcomeOf(response: Response): Promise<[status: number, location: string | null]> {
  await response.body?.cancel();
  return [response.status, response.headers.get("Location")];
}

describe("The corpus of redirect URIs", () => {
  it("has at least 150 that must not match", () => {
    assert(total >= 150, `${total}`);
  });

  for (const entry of redirectUris) {
    const { registered, native, lookAlikes } = entry;

    it(`A13 A14 matches ${registered} with itself`, async () => {
      assertEquals(redirectUriMatches(registered, registered, native), true);
      const kit = openWith(entry);
      const path = kit.authorizationUrl({ redirect_uri: registered }).slice(kit.issuer.length);
      assertEquals((await kit.get(path)).status, 303);
    });

    for (const [change, uris] of Object.entries(lookAlikes)) {
      it(`A11 A13 A14 B02 redirects to nothing that differs from ${registered} in ${change}`, async () => {
        const kit = openWith(entry);
        for (const redirect_uri of uris) {
          assertEquals(redirectUriMatches(registered, redirect_uri, native), false, redirect_uri);
          const path = kit.authorizationUrl({ redirect_uri }).slice(kit.issuer.length);
          assertEquals(await outcomeOf(await kit.get(path)), [400, null], redirect_uri);
        }
      });
    }
  }
});
