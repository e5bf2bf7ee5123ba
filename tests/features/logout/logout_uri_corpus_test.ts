import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { redirectUris } from "../../support/corpora.ts";
import { openKit } from "../../support/kit.ts";
import { logoutUrl } from "../../support/logout.ts";

describe("The corpus of redirect URIs, where users go after a sign-out", () => {
  for (const { registered, native, lookAlikes } of redirectUris) {
    const uris = { redirectUris: [registered], postLogoutRedirectUris: [registered] };
    for (const [change, others] of Object.entries(lookAlikes)) {
      it(`O13 leads nobody there: ${registered} and ${change}`, async () => {
        const kit = openKit({ clients: [{ id: "demo-spa", native, ...uris }] });
        for (const uri of others) {
          const url = logoutUrl(kit, { client_id: "demo-spa", post_logout_redirect_uri: uri });
          const { status, headers, body } = await kit.server.fetch(new Request(url));
          await body?.cancel();
          assertEquals(headers.get("Location") ?? "", "", uri);
          assert(status < 500, uri);
        }
      });
    }
  }
});
