import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../src/lab/lab.ts";
import { basic, type Fields, type Kit, openLabKit, refresh } from "../support/kit.ts";
import { present } from "../support/present.ts";

type Play = (kit: Kit & { lab: Lab }) => unknown;

/** Returns how a lab explains the last request that it refused. */
async function explained(play: Play): Promise<string> {
  const kit = openLabKit();
  await using lab = kit.lab;
  await play(kit);
  const { hint = "", fix = "" } = present(present(lab.requests().at(-1)).refusal);
  return `${hint} ${fix}`;
}

function token(fields: Fields, headers?: Record<string, string>): Play {
  return (kit) =>
    kit.post("/oauth2/token", { grant_type: "client_credentials", ...fields }, headers);
}

const refused: Readonly<Record<string, [play: Play, ...sentences: string[]]>> = {
  "an unknown client": [
    token({}, basic("nobody", "a")),
    "Send the client_id of a configured client",
  ],
  "a wrong secret": [token({}, basic("demo-service", "a")), "Send the secret of this client"],
  "no secret": [
    token({ client_id: "demo-service" }),
    "Authenticate the client: it is registered for client_secret_basic or client_secret_post.",
  ],
  "a secret in place of a key": [
    token({}, basic("demo-jwt", "a")),
    "Use another method: it is registered for private_key_jwt.",
  ],
  "no client at the introspection endpoint": [
    (kit) => kit.post("/oauth2/introspect", { token: "a" }),
    "Authenticate the client.",
  ],
  "a refresh beyond the grant": [
    async (kit) => {
      const { refresh_token } = await kit.tokens({ scope: "openid" });
      await refresh(kit, refresh_token, { scope: "openid email" });
    },
    "Received: 'email'. Expected: 'openid' or a part of it, the scope of the grant.",
  ],
  "no redirect URI": [
    (kit) => kit.get(kit.authorizationUrl({ redirect_uri: "" }).slice(kit.issuer.length)),
    "Received: none. Expected: https://hallpass.test/authorized.",
  ],
  "an unknown redirect URI": [
    (kit) => kit.get(kit.authorizationUrl({ redirect_uri: "https://a/" }).slice(kit.issuer.length)),
    "'hallpass --redirect-uri URI'",
  ],
  "no code verifier": [
    async (kit) => await kit.redeem(await kit.code(), { code_verifier: "" }),
    "Received: none. Expected: the code_verifier of the code_challenge.",
  ],
};

describe("A lab explains, for the reason of the refusal,", () => {
  for (const [what, [play, ...sentences]] of Object.entries(refused)) {
    it(what, async () => {
      const text = await explained(play);
      for (const sentence of sentences) assertStringIncludes(text, sentence);
    });
  }

  it("and a passed rule does not repeat what another one refuses", async () => {
    const came = new Map<string, string | undefined>();
    const kit = openLabKit({
      onEvent(_event, request) {
        for (const each of request?.rules ?? []) came.set(each.rule.id, each.came);
      },
    });
    await using _lab = kit.lab;
    await token({ client_id: "demo-service", client_secret: "wrong" })(kit);
    assertStringIncludes(came.get("client.authenticated") ?? "", "wrong secret");
    assertEquals([came.has("client.no_secret"), came.get("client.no_secret")], [true, undefined]);
  });
});
