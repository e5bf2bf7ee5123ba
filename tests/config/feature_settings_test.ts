import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import { settingsPart } from "../../src/server/config/feature_config.ts";
import type { AddedClientSettings } from "../../src/server/config/settings.ts";
import type { Feature } from "../../src/server/feature.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { storedClientProblems } from "../../src/server/issuer/clients/stored_clients.ts";
import { ConfigError, memoryStore } from "../../src/server/mod.ts";
import { createInternalServer } from "../../src/server/server.ts";

const issuer = "https://id.example";
const redirectUris = ["https://app.example/cb"];

/** A setting of the server, as a feature declares it. */
const greeting = settingsPart<{ greeting: string }>({
  type: "object",
  members: { greeting: { type: "string" } },
  defaults: { greeting: "hello" },
});

const text = { type: "string" } as const;
const ofClients: AddedClientSettings = {
  ...settingsPart({
    type: "object",
    members: { nicknames: { type: "array", items: text }, motto: text },
    defaults: { nicknames: [] },
  }),
  check: (client, { scopes }, report) => {
    if ("motto" in client && scopes.includes("quiet")) report("motto", "is too loud");
  },
  keep: (given) => ("motto" in given ? { motto: `${given.motto}!` } : {}),
};

const feature: Feature = {
  name: "greetings",
  config: {
    server: {
      ...greeting,
      check: (own, { issuer }, report) => {
        if (greeting.of(own).greeting === issuer) report("greeting", "is the issuer");
      },
    },
    clients: ofClients,
  },
};

function open(config: object = {}, features: readonly Feature[] = [feature]) {
  return createInternalServer({ issuer, ...config }, features).context;
}

describe("The settings that a feature adds to the server and to clients", () => {
  it("have defaults, and are read by the feature", async () => {
    const app = { id: "app", redirectUris, motto: "go" };
    const ctx = open({ clients: [app, { id: "other", redirectUris }] });
    assertEquals(greeting.of(ctx.settings).greeting, "hello");
    assertEquals(greeting.of(open({ greeting: "hi" }).settings).greeting, "hi");
    const [kept, other] = [await findClient(ctx, "app"), await findClient(ctx, "other")];
    assertEquals(ofClients.of(kept ?? {}), { ...kept, nicknames: [], motto: "go!" });
    assertEquals(ofClients.of(other ?? {}), { ...other, nicknames: [] });
  });

  const refused: Record<string, [config: object, problem: string]> = {
    "of another type": [{ greeting: 1 }, "greeting must be a string"],
    "that another one contradicts": [{ greeting: issuer }, "greeting is the issuer"],
    "of a client, of another type": [
      { clients: [{ id: "app", redirectUris, nicknames: "a" }] },
      "clients[0].nicknames must be a list of strings",
    ],
    "of a client that another one contradicts": [
      { clients: [{ id: "app", redirectUris, motto: "go" }], scopes: { quiet: "Quiet" } },
      "clients[0].motto is too loud",
    ],
  };
  for (const [what, [config, problem]] of Object.entries(refused)) {
    it(`refuse a value ${what}`, () => {
      assertThrows(() => open(config), ConfigError, problem);
    });
  }

  it("are refused by a server without the feature", () => {
    assertThrows(() => open({ greeting: "hi" }, []), ConfigError, "greeting is not a setting");
    const clients = [{ id: "app", redirectUris, motto: "go" }];
    assertThrows(() => open({ clients }, []), ConfigError, "clients[0].motto is not a setting");
  });

  it("are checked for a client in the store, too", async () => {
    const client = { id: "app", redirectUris, nicknames: 1 };
    await assertRejects(() => addClient(open(), client), ConfigError, "nicknames must be a list");
  });

  it("of a stored client are refused without the feature where they ask for something", async () => {
    const store = memoryStore();
    const [ctx, without] = [open({ store }), open({ store }, [])];
    const loud = { id: "loud", redirectUris, motto: "go" };
    const stored = await addClient(ctx, loud);
    await addClient(ctx, { id: "plain", redirectUris });
    assertEquals((await findClient(ctx, "loud"))?.id, "loud");
    assertEquals(await findClient(without, "loud"), undefined);
    assertEquals((await findClient(without, "plain"))?.id, "plain");
    assertEquals(storedClientProblems(without.settings, stored), [
      "client 'loud' in the store: motto is a setting that this server does not have",
    ]);
  });
});
