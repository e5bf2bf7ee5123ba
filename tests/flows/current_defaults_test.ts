import { assertEquals, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import { set as setClient } from "../../src/administration/client_settings.ts";
import { add as addClient } from "../../src/administration/clients.ts";
import { toClient } from "../../src/server/config/make_client.ts";
import { trustedOffer } from "../../src/server/config/settings.ts";
import type { ClientConfig, Config } from "../../src/server/features.ts";
import { withCurrentDefaults } from "../../src/server/issuer/clients/stored_clients.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { openIdScopes } from "../../src/server/model/claims.ts";
import type { Client } from "../../src/server/model/client.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import settings from "../../static/settings/clients.json" with { type: "json" };
import { itWith } from "../support/it_with.ts";
import { basic, errorAt, type Kit, openStrictKit } from "../support/kit.ts";
import { register } from "../support/registration.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const it = itWith({ inStored: () => openStored(web) });

const redirectUris = ["https://hallpass.test/authorized"];
const secret = "a-secret-of-at-least-22-characters";
const web: ClientConfig = { id: "web", secret, redirectUris };
const before = openStrictKit().server.context.settings;
const after =
  openStrictKit({ requirePar: hasFeature("pushed authorization requests"), pkce: "required" })
    .server.context.settings;

/** A value of each setting that differs from its default, by the type of the setting. */
const samples: Readonly<Record<string, unknown>> = {
  array: ["sample"],
  boolean: true,
  duration: "7s",
  string: "https://sample.example/",
  object: { keys: [] },
  anyOf: ["sample"],
};
const own: Readonly<Record<string, unknown>> = {
  rememberConsent: false,
  grantTypes: ["authorization_code", "device"],
  pkce: "optional",
};

interface SettingSchema {
  type?: string;
  values?: readonly string[];
}

function sampleOf(name: string, { type = "object", values }: SettingSchema): unknown {
  return own[name] ?? values?.at(-1) ?? samples[type];
}

const rows = Object.entries(settings.ClientConfig.members as Record<string, SettingSchema>)
  .filter(([name]) => name !== "id" && name !== "secret")
  .map(([name, schema]) => [name, sampleOf(name, schema)] as const);

/** Those of the row: they decide who the client is, what it may call, and whether it may. */
const ofRow = ["authentication", "disabled", "scopes", "authorizationDetailsTypes"];

/** A client for users, without the setting. */
function baseOf(name: string): ClientConfig {
  const id = "web";
  return name === "grantTypes" ? { id, redirectUris } : { id, grantTypes: ["authorization_code"] };
}

/** What a client has because of a setting, which may have another name and form. */
function valueOf(client: Client, name: string): unknown {
  return Reflect.get(client, name === "sectorIdentifierUri" ? "sector" : name);
}

describe("Each setting of a stored client, on a server with other defaults", () => {
  for (const [name, sample] of rows) {
    it(`stays if it was given: ${name}`, async () => {
      const given = { ...baseOf(name), [name]: sample } as ClientConfig;
      const stored = { ...await toClient(given, trustedOffer(before)), givenSettings: given };
      const current = withCurrentDefaults(after, stored);
      assertEquals(valueOf(current, name), valueOf(stored, name));
      assertNotEquals(valueOf(stored, name), undefined);
    });

    const whose = ofRow.includes(name) ? "is that of the row" : "follows the server";
    it(`${whose} if it was not given: ${name}`, async () => {
      const given = baseOf(name);
      const made = await toClient(given, trustedOffer(before));
      // As if an earlier version had had another default.
      const stored: Client = { ...made, [name]: sample, givenSettings: given };
      const { [name as keyof Client]: current } = withCurrentDefaults(after, stored);
      const { [name as keyof Client]: ofServer } = await toClient(given, trustedOffer(after));
      if (!ofRow.includes(name)) return assertEquals(current, ofServer);
      const kept = name === "scopes" ? [current].flat().slice(0, 1) : current;
      assertEquals(kept, sample);
    });
  }

  it.inStored("is made again for each read: the row stays as it was stored", async ({ store }) => {
    const kit = openStrictKit({ store, scopes: { ...openIdScopes, team: "T" } });
    await kit.code({ client_id: "web", scope: "openid" });
    const { scopes } = present(await kit.server.context.records.clients.find("web"));
    assertEquals(scopes.includes("team"), false);
  });
});

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is missing.");
  return value;
}

/** Stores a client by a server without scopes of its own. */
async function openStored(config: ClientConfig, scopes: Config["scopes"] = { ...openIdScopes }) {
  const store = memoryStore();
  const { context } = openStrictKit({ store, scopes }).server;
  await addClient(context, config);
  return { store, context, admin: { ...context, action: { by: "root", command: "client set" } } };
}

const wider = {
  ...openIdScopes,
  team: { text: "See your team", claims: ["team"] },
  "admin:write": "Change everything",
};

const errorOf = (kit: Kit, scope: string) => errorAt(kit, { client_id: "web", scope });

const aboutUser = ["openid", "profile", "email", "address", "phone", "team"];
const forItself: ClientConfig = { id: "batch", secret, grantTypes: ["client_credentials"] };

describe("A client that is stored without scopes", () => {
  const rows: ReadonlyArray<[title: string, config: ClientConfig, scopes: string[]]> = [
    ["has those about the user: none of an API, no offline_access", web, aboutUser],
    ["has them too if it also acts for itself", {
      ...web,
      grantTypes: ["authorization_code", "client_credentials"],
    }, aboutUser],
    ["has none if it acts for itself alone", forItself, []],
    ["has none if it has no redirect URI", { id: "batch", secret }, []],
  ];
  for (const [title, config, expected] of rows) {
    it(title, async () => {
      const { context } = await openStored(config, wider);
      const { scopes, defaultScope } = present(await context.records.clients.find(config.id));
      assertEquals(scopes, expected);
      assertEquals(defaultScope, expected.filter((scope) => scope === "team"));
    });
  }

  it("gets those of APIs and offline_access once they are given", async () => {
    const { store, admin } = await openStored(web, wider);
    const kit = openStrictKit({ store, scopes: wider });
    for (const scope of ["admin:write", "offline_access"]) {
      assertEquals(await errorOf(kit, `openid ${scope}`), "invalid_scope");
    }
    await setClient(admin, "web", ({ given, effective }) => ({
      ...given,
      scopes: [...effective.scopes ?? [], "admin:write", "offline_access"],
    }));
    assertEquals(await errorOf(kit, "openid team admin:write offline_access"), undefined);
  });
});

describe("A scope that a server gains after a client was stored", () => {
  it("is that of the client if it opens claims about the user", async () => {
    const { store } = await openStored(web, { openid: "Know you", read: "Read" });
    const kit = openStrictKit({ store, scopes: wider });
    for (const scope of aboutUser) assertEquals(await errorOf(kit, `openid ${scope}`), undefined);
  });

  it("is not that of the client if it is offline_access", async () => {
    const { store } = await openStored(web, { openid: "Know you" });
    const kit = openStrictKit({ store, scopes: wider });
    assertEquals(await errorOf(kit, "openid offline_access"), "invalid_scope");
  });

  it.inStored("is groups, on a server that has no scopes of its own", async ({ store }) => {
    assertEquals(await errorOf(openStrictKit({ store }), "openid groups"), undefined);
  });

  it.inStored("is not that of the client if it is for an API", async ({ store }) => {
    const kit = openStrictKit({ store, scopes: wider });
    assertEquals(await errorOf(kit, "openid admin:write"), "invalid_scope");
    const resources = [{ uri: "https://api.example", scopes: ["team"] }];
    const ofApi = openStrictKit({ store, scopes: wider, resources });
    assertEquals(await errorOf(ofApi, "openid team"), "invalid_scope");
  });

  it("is not that of the client if its scopes were given, until that is unset", async () => {
    const { store, admin } = await openStored({ ...web, scopes: ["openid"] });
    const kit = openStrictKit({ store, scopes: wider });
    assertEquals(await errorOf(kit, "openid team"), "invalid_scope");
    await setClient(admin, "web", ({ given: { scopes: _, ...given } }) => given);
    assertEquals(await errorOf(kit, "openid team"), undefined);
  });

  it.inStored("is not that of the client if another setting changes, and it is for an API", async ({ store }) => {
    const kit = openStrictKit({ store, scopes: wider });
    const admin = { ...kit.server.context, action: { by: "root", command: "client set" } };
    await setClient(admin, "web", ({ given }) => ({ ...given, name: "Web" }));
    assertEquals(await errorOf(kit, "openid admin:write"), "invalid_scope");
    await setClient(admin, "web", ({ given, effective }) => ({
      ...given,
      scopes: [...effective.scopes ?? [], "admin:write"],
    }));
    assertEquals(await errorOf(kit, "openid team admin:write"), undefined);
  });

  const fixed: Record<string, () => Promise<Kit>> = {
    "on a hardened server": async () => {
      const { store } = await openStored(web);
      return openStrictKit({ store, scopes: wider, hardened: true });
    },
    "for a client that acts for itself": async () => {
      const grantTypes = ["authorization_code", "client_credentials"];
      const { store } = await openStored({ ...web, grantTypes });
      return openStrictKit({ store, scopes: wider });
    },
    "for a row that has no record of what was given": async () => {
      const { store, context } = await openStored(web);
      const { givenSettings: _, ...row } = present(await context.records.clients.find("web"));
      await context.records.clients.put("web", row, forever);
      return openStrictKit({ store, scopes: wider });
    },
  };
  for (const [title, open] of Object.entries(fixed)) {
    it(`is not that of the client ${title}`, async () => {
      assertEquals(await errorOf(await open(), "openid team"), "invalid_scope");
    });
  }

  it("is not that of a client that registered itself", needs("registration"), async () => {
    const store = memoryStore();
    const kit = openStrictKit({ store, registration: "open", scopes: { ...openIdScopes } });
    const { client_id } = (await register(kit, { scope: "openid" })).body;
    const later = openStrictKit({ store, registration: "open", scopes: wider });
    const { html } = await later.browser().open(
      later.authorizationUrl({ client_id, scope: "openid team", redirect_uri: undefined }),
    );
    assertEquals(html.includes('id="sign-in"'), false);
  });
});

describe("The credentials of a stored client", () => {
  it.inStored("stay: a client with a secret never becomes public", async ({ store, context }) => {
    const stored = present(await context.records.clients.find("web"));
    assertEquals("secret" in present(stored.givenSettings), false);
    const kit = openStrictKit({ store, scopes: wider });
    const code = await kit.code({ client_id: "web", scope: "openid" });
    const withoutSecret = await kit.redeem(code, { client_id: "web" });
    assertEquals(withoutSecret.body.error, "invalid_client");
    const headers = basic("web", secret);
    assertEquals((await kit.redeem(code, { client_id: undefined }, headers)).status, 200);
  });
});
