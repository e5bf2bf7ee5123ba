import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { openIdScopes } from "../../src/server/model/claims.ts";
import { basic, errorAt, type Kit, mcpProfile, openKit, openStrictKit } from "../support/kit.ts";

const redirectUris = ["https://hallpass.test/authorized"];
const asWeb = basic("web", "s");
const scopes = { ...openIdScopes, read: "Read" };

function openServer(changes: Partial<ClientConfig> = {}, config: Partial<Config> = {}): Kit {
  const clients = [{ id: "web", secret: "s", redirectUris, ...changes }];
  return openStrictKit({ clients, scopes, ...config });
}

async function tokensOf(kit: Kit, scope: string) {
  const code = await kit.code({ client_id: "web", scope });
  return (await kit.redeem(code, { client_id: undefined }, asWeb)).body;
}

describe("A scope that the server does not define (OpenID Connect Core, section 3.1.2.1)", () => {
  it("A24 is ignored with openid, and the response names what was granted", async () => {
    const { scope } = await tokensOf(openServer(), "openid email admin groups:read");
    assertEquals(scope, "openid email");
  });

  it("A24 is ignored at a refresh that repeats the request, too", async () => {
    const kit = openServer();
    const { refresh_token } = await tokensOf(kit, "openid email admin");
    const fields = { client_id: undefined, scope: "openid email admin" };
    const { status, body } = await kit.refresh(refresh_token, fields, asWeb);
    assertEquals([status, body.scope], [200, "openid email"]);
  });

  const refusals: Record<string, [open: () => Kit, scope: string]> = {
    "without openid": [() => openServer(), "read admin"],
    "if the server has it, but not for this client": [
      () => openServer({ scopes: ["openid", "email"] }),
      "openid read",
    ],
    "if the client is set so": [() => openServer({ unknownScopes: "refuse" }), "openid admin"],
    "if the server is set so": [() => openServer({}, { unknownScopes: "refuse" }), "openid admin"],
    "if the server is hardened": [() => openServer({}, { hardened: true }), "openid admin"],
    "under the profile mcp": [() => openServer({}, mcpProfile), "openid admin"],
    "in a lab, which finds the misspelling": [
      () => openKit({ clients: [{ id: "web", secret: "s", redirectUris }] }),
      "openid emial",
    ],
  };
  for (const [title, [open, scope]] of Object.entries(refusals)) {
    it(`A24 is refused ${title}`, async () => {
      assertEquals(await errorAt(open(), { client_id: "web", scope }), "invalid_scope");
    });
  }

  it("A24 is ignored for a client that is set so, where the server refuses it", async () => {
    const kit = openServer({ unknownScopes: "ignore" }, { unknownScopes: "refuse" });
    assertEquals((await tokensOf(kit, "openid admin")).scope, "openid");
  });

  it("T28 is refused at a refresh that adds a scope which the server has", async () => {
    const kit = openServer();
    const { refresh_token } = await tokensOf(kit, "openid email");
    const fields = { client_id: undefined, scope: "openid read" };
    assertEquals((await kit.refresh(refresh_token, fields, asWeb)).body.error, "invalid_scope");
  });
});
