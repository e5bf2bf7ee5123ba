import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { ConfigError } from "../../../src/server/config/problems.ts";
import type { ClientConfig, IdJagConfig } from "../../../src/server/features.ts";
import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { openStrictKit } from "../../support/kit.ts";

const entry: IdJagConfig = {
  audience: "https://chat.example",
  resource: "https://chat.example/mcp",
  clientId: "agent-there",
  scopes: ["chat.read"],
};

function problemsOf(client: Partial<ClientConfig>): readonly string[] {
  const base = {
    id: "agent",
    secret: "s",
    redirectUris: ["https://agent.example/cb"],
    grantTypes: ["authorization_code", tokenExchangeGrantType],
    idJag: [entry],
  };
  const config = {
    grantTypes: ["authorization_code", tokenExchangeGrantType],
    clients: [{ ...base, ...client }],
  };
  const error: Error = assertThrows(() => openStrictKit(config), ConfigError);
  return error instanceof ConfigError ? error.problems : [];
}

const bad: Record<string, [client: Partial<ClientConfig>, problem: string]> = {
  "without the grant": [
    { grantTypes: ["authorization_code"] },
    "clients[0].idJag is set, but the client's grantTypes do not contain the token exchange grant",
  ],
  "twice for the same target": [
    { idJag: [entry, { ...entry, clientId: "other" }] },
    "clients[0].idJag contains 'https://chat.example https://chat.example/mcp' more than once",
  ],
  "for this server": [
    { idJag: [{ ...entry, audience: "https://hallpass.test" }] },
    "clients[0].idJag[0].audience is this server, which does not accept ID-JAGs that it issued",
  ],
  "without a scope": [
    { idJag: [{ ...entry, scopes: [] }] },
    "clients[0].idJag[0].scopes is empty, so that no ID-JAG could be issued",
  ],
  "with more scopes for a user than for the client": [
    { idJag: [{ ...entry, users: { alice: ["chat.admin"] } }] },
    "clients[0].idJag[0].users.alice contains 'chat.admin', which is not among the scopes of the entry",
  ],
  "that would show a client with pairwise subjects the public one": [
    { subjectType: "pairwise" },
    "clients[0].idJag[0].relyingParty is missing, but the client may not see the public 'sub' of a user",
  ],
  "with an audience that is no URL": [
    { idJag: [{ ...entry, audience: "chat" }] },
    "clients[0].idJag[0].audience must be a URL without a fragment",
  ],
  "with a resource that has a fragment": [{
    idJag: [{ ...entry, resource: "https://chat.example/#mcp" }],
  }, "clients[0].idJag[0].resource must be an absolute URI without a fragment"],
  "with a scope that is no token": [
    { idJag: [{ ...entry, scopes: ["a b"] }] },
    "clients[0].idJag[0].scopes[0] must be a scope token (RFC 6749, section 3.3)",
  ],
  "without the id of the client there": [
    { idJag: [{ ...entry, clientId: "" }] },
    "clients[0].idJag[0].clientId must not be empty",
  ],
};

describe("The setting idJag is refused", () => {
  it("for a public client", () => {
    assertEquals(problemsOf({ authentication: ["none"] }), [
      "clients[0].authentication contains 'none', but the client has a secret",
      "clients[0].idJag is for confidential clients only",
    ]);
  });

  for (const [what, [client, problem]] of Object.entries(bad)) {
    it(what, () => {
      assertEquals(problemsOf(client), [problem]);
    });
  }
});
