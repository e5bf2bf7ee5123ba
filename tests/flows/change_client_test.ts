import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { compactVerify, SignJWT } from "jose";
import { describe } from "node:test";
import {
  addSecret as addClientSecret,
  dropSecret as dropClientSecret,
  listSecrets as listClientSecrets,
  retireSecret as retireClientSecret,
} from "../../src/administration/client_secrets.ts";
import { set as setClient } from "../../src/administration/client_settings.ts";
import * as clients from "../../src/administration/clients.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { type AdminContext, listChanges } from "../../src/server/issuer/directory/changes.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { itWith } from "../support/it_with.ts";
import { basic, type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ inBoth: openBoth });

const redirectUris = ["https://hallpass.test/authorized"];
const secret = "app-secret-of-at-least-32-characters";
const publicKey = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
const manyUris = Array.from({ length: 20 }, (_, at) => `https://app.example/callback/${at}`);
const app: ClientConfig = { id: "app", secret, redirectUris };

/** An administrator, and a server that was there before, on one store with the client `app`. */
async function openBoth(config: ClientConfig = app): Promise<{ kit: Kit; admin: AdminContext }> {
  const store = memoryStore();
  const { context } = openKit({ store }).server;
  const admin = { ...context, action: { by: "root", command: "client set" } };
  await clients.add(context, config);
  return { kit: openKit({ store }), admin };
}

const set = (admin: AdminContext, settings: Partial<ClientConfig>) =>
  setClient(admin, "app", ({ given }) => ({ ...given, ...settings }));

function withoutSecret({ secret: _, ...others }: ClientConfig): ClientConfig {
  return others;
}

/** Signs in with a scope and redeems the code with a secret. */
async function tokensOf(kit: Kit, withSecret = secret, scope = "openid email") {
  const code = await kit.code({ client_id: "app", scope });
  return await kit.redeem(code, {}, basic("app", withSecret));
}

const refresh = (kit: Kit, refresh_token: string, withSecret = secret) =>
  kit.refresh(refresh_token, {}, basic("app", withSecret));

describe("setClient", () => {
  it.inBoth("changes a client of a running server at once, and keeps its tokens", async ({ kit, admin }) => {
    const { body } = await tokensOf(kit);
    await set(admin, { scopes: ["openid", "profile"], name: "Documents" });
    const refreshed = await refresh(kit, body.refresh_token);
    assertEquals([refreshed.status, refreshed.body.scope], [200, "openid"]);
    const callback = await kit.authorize({ client_id: "app", scope: "email" });
    assertEquals(callback.get("error"), "invalid_scope");
  });

  it.inBoth("lets defaults follow the settings that they depend on", async ({ admin }) => {
    const { client } = await set(admin, { scopes: ["openid", "read"] });
    assertEquals([client.defaultScope, client.name], [["read"], "app"]);
    const { client: machine } = await set(admin, { redirectUris: [] });
    assertEquals(machine.grantTypes, ["client_credentials"]);
  });

  it.inBoth("keeps the secret", async ({ kit, admin }) => {
    await set(admin, { name: "Documents" });
    assertEquals((await tokensOf(kit)).status, 200);
  });

  it.inBoth("keeps whether the client is disabled", async ({ admin }) => {
    await clients.disable(admin, "app");
    assertEquals((await set(admin, { name: "Documents" })).client.disabled, true);
    await clients.enable(admin, "app");
    assertEquals((await set(admin, { name: "Papers" })).client.disabled, false);
  });

  it.inBoth("replaces the secret at once, if it is given", async ({ kit, admin }) => {
    await set(admin, { secret: "another-secret-of-22-ch" });
    assertEquals((await tokensOf(kit)).status, 401);
    assertEquals((await tokensOf(kit, "another-secret-of-22-ch")).status, 200);
  });

  it("starts from every setting that a client has, if those given are not known", async () => {
    const { admin } = await openBoth({ ...app, scopes: ["openid"] });
    const { givenSettings: _, ...older } = present(await admin.records.clients.find("app"));
    await admin.records.clients.put("app", older, Number.MAX_SAFE_INTEGER);
    const { client, differences } = await set(admin, { name: "Documents" });
    assertEquals(client.name, "Documents");
    assertEquals(client.scopes, ["openid"]);
    assertEquals(client.secrets, older.secrets);
    assertEquals(differences, ['name: "app" -> "Documents"']);
  });

  it.inBoth("Q10: takes any text for a new secret: none stands for the old one", async ({ kit, admin }) => {
    const marks = "?".repeat(64);
    await set(admin, { secret: marks });
    const statuses = [marks, secret].map(async (each) => (await tokensOf(kit, each)).status);
    assertEquals(await Promise.all(statuses), [200, 401]);
  });

  it.inBoth("records what is different, without the secret", async ({ admin }) => {
    await set(admin, { scopes: ["read"], secret: "another-secret-of-22-ch" });
    assertEquals((await listChanges(admin)).map(({ details }) => details), [
      ['scopes: default -> ["read"]', "secret: replaced"],
    ]);
  });

  const described: Record<
    string,
    [before: ClientConfig, change: typeof withoutSecret, differences: string[]]
  > = {
    "what came to a list and what went, however long it is": [
      { ...app, redirectUris: manyUris },
      (given) => ({ ...given, redirectUris: [...manyUris.slice(1), "https://new.example/"] }),
      ['redirectUris: +"https://new.example/" -"https://app.example/callback/0"'],
    ],
    "another order of a list": [
      { ...app, scopes: ["read", "openid"] },
      (given) => ({ ...given, scopes: ["openid", "read"] }),
      ["scopes: in another order"],
    ],
    "a new secret": [{ id: "app", redirectUris }, () => app, ["secret: added"]],
    "that a client with keys has no secret any more": [
      app,
      (given) => ({ ...withoutSecret(given), jwks: { keys: [publicKey] } }),
      [`jwks: default -> ${JSON.stringify({ keys: [publicKey] })}`, "secret: removed"],
    ],
    "that a client is public now": [
      app,
      (given) => ({ ...withoutSecret(given), authentication: ["none"] }),
      ['authentication: default -> ["none"]', "secret: removed; the client is public now"],
    ],
  };
  for (const [what, [before, change, expected]] of Object.entries(described)) {
    it(`describes ${what}`, async () => {
      const { admin } = await openBoth(before);
      const { differences } = await setClient(admin, "app", ({ given }) => change(given));
      assertEquals(differences, expected);
    });
  }

  it.inBoth("refuses to make a client public that nobody called so", async ({ admin }) => {
    const before = await admin.records.clients.find("app");
    const change = () => setClient(admin, "app", ({ given }) => withoutSecret(given));
    const { message } = await assertRejects(change, AdminError, "would be public");
    assertStringIncludes(message, "add --authentication none");
    assertEquals(await admin.records.clients.find("app"), before);
    assertEquals(await listChanges(admin), []);
  });

  it.inBoth("changes and records nothing if nothing is different", async ({ admin }) => {
    assertEquals((await set(admin, { redirectUris })).differences, []);
    assertEquals(await listChanges(admin), []);
  });

  it.inBoth("does not undo what another administrator changes at the same time", async ({ admin }) => {
    await set(admin, { name: "Documents" });
    await set(admin, { dpop: "required" });
    const client = await admin.records.clients.find("app");
    assertEquals([client?.name, client?.dpop], ["Documents", "required"]);
  });

  const refused: Array<[settings: Partial<ClientConfig>, says: string]> = [
    [{ redirectUris: ["http://app.example/cb"] }, "redirectUris[0] uses http"],
    [{ pkce: "never" as "required" }, "pkce must be"],
    [{ scopes: ["fly"] }, "scopes contains 'fly', which is not a scope of the server"],
    [{ secret: "short" }, "secret must have at least 22 characters"],
    [{ authentication: ["client_secret_jwt"] }, "secret is stored only as a hash"],
    [{ idTokenAlg: "HS256" }, "secret is stored only as a hash"],
    [{ authentication: ["private_key_jwt"] }, "jwks is missing"],
  ];
  for (const [settings, says] of refused) {
    it.inBoth(`refuses ${JSON.stringify(settings)}, names the setting, and leaves the store`, async ({ admin }) => {
      const before = await admin.records.clients.find("app");
      const { message } = await assertRejects(() => set(admin, settings), ConfigError);
      assertStringIncludes(message, "Cannot change the client: 1 problem");
      assertStringIncludes(message, says);
      assertEquals(await admin.records.clients.find("app"), before);
      assertEquals(await listChanges(admin), []);
    });
  }

  it.inBoth("refuses another id, and to disable", async ({ admin }) => {
    await assertRejects(() => set(admin, { id: "web" }), AdminError, "'id'");
    await assertRejects(() => set(admin, { disabled: true }), AdminError, "client disable");
  });

  if (hasFeature("registration")) {
    it.inBoth("refuses to change a client that registered itself", async ({ kit, admin }) => {
      const response = await kit.server.fetch(
        new Request("https://hallpass.test/oauth2/register", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ redirect_uris: redirectUris }),
        }),
      );
      const { client_id } = await response.json();
      const change = () => setClient(admin, client_id, ({ given }) => ({ ...given, name: "x" }));
      await assertRejects(change, AdminError, "registered itself");
      await assertRejects(() => addClientSecret(admin, client_id), AdminError, "registered itself");
    });
  }
});

describe("The secrets of a client", () => {
  it.inBoth("are both valid until the earlier one is retired", async ({ kit, admin }) => {
    const { body } = await tokensOf(kit);
    const next = await addClientSecret(admin, "app");
    const results = await Promise.all([secret, next, "wrong"].map((each) => tokensOf(kit, each)));
    assertEquals(results.map(({ status }) => status), [200, 200, 401]);
    await retireClientSecret(admin, "app");
    assertEquals((await tokensOf(kit)).status, 401);
    assertEquals((await refresh(kit, body.refresh_token, next)).status, 200);
  });

  it.inBoth("include a lost one that can be dropped, while the other stays in use", async ({ kit, admin }) => {
    const lost = await addClientSecret(admin, "app");
    await dropClientSecret(admin, "app");
    const results = await Promise.all([secret, lost].map((each) => tokensOf(kit, each)));
    assertEquals(results.map(({ status }) => status), [200, 401]);
    const next = await addClientSecret(admin, "app");
    assertEquals((await tokensOf(kit, next)).status, 200);
    const changes = (await listChanges(admin)).flatMap(({ details }) => details);
    assert(changes.includes("secret: the later one was dropped"), changes.join());
  });

  it.inBoth("are listed without themselves", async ({ admin }) => {
    const since = admin.now();
    await addClientSecret(admin, "app");
    assertEquals(await listClientSecrets(admin, "app"), [
      { state: "current", since },
      { state: "next", since },
    ]);
    await retireClientSecret(admin, "app");
    assertEquals(await listClientSecrets(admin, "app"), [{ state: "current", since }]);
  });

  it.inBoth("are recorded without themselves", async ({ admin }) => {
    const next = await addClientSecret(admin, "app");
    await retireClientSecret(admin, "app");
    const text = JSON.stringify(await listChanges(admin));
    assert(!text.includes(next) && !text.includes("Hash"), text);
    assertStringIncludes(text, "secret: a second one was added");
    assertStringIncludes(text, "secret: the earlier one was retired");
  });

  const hmac: ClientConfig = {
    ...app,
    scopes: ["openid", "profile", "read"],
    idTokenAlg: "HS256",
    authentication: ["client_secret_post"],
  };

  it("sign ID tokens, each for the instance of the client that uses it", async () => {
    const { kit, admin } = await openBoth(hmac);
    const next = await addClientSecret(admin, "app");
    for (const used of [secret, next]) {
      const code = await kit.code({ client_id: "app", scope: "openid" });
      const { body } = await kit.redeem(code, { client_id: "app", client_secret: used });
      assertEquals(await isSignedWith(body.id_token, used), true);
      const hinted = await kit.authorize({ client_id: "app", id_token_hint: body.id_token });
      assertEquals(hinted.get("error"), null);
    }
  });

  it("sign ID tokens for an instance that shows its secret by an assertion", async () => {
    const { kit, admin } = await openBoth({ ...hmac, authentication: ["client_secret_jwt"] });
    const next = await addClientSecret(admin, "app");
    for (const used of [secret, next]) {
      const code = await kit.code({ client_id: "app", scope: "openid" });
      const { body } = await kit.redeem(code, {
        client_id: "app",
        ...await assertionOf(kit, used),
      });
      assertEquals(await isSignedWith(body.id_token, used), true);
    }
  });

  it("refuse an assertion that is sent again for what it is, whichever secret signed it", async () => {
    const { kit, admin } = await openBoth({ ...hmac, authentication: ["client_secret_jwt"] });
    const next = await addClientSecret(admin, "app");
    for (const used of [secret, next]) {
      const parameters = { grant_type: "client_credentials", ...await assertionOf(kit, used) };
      for (let sent = 0; sent < 2; sent++) await kit.token(parameters);
    }
    const reasons = kit.events.flatMap((each) =>
      each.type === "client.refused" ? [each.reason] : []
    );
    assertEquals(reasons, Array(2).fill("its 'jti' was used before"));
  });

  it("verify assertions, both of them", async () => {
    const { kit, admin } = await openBoth({
      ...app,
      redirectUris: [],
      scopes: ["read"],
      authentication: ["client_secret_jwt"],
    });
    const next = await addClientSecret(admin, "app");
    const statuses = [];
    for (const used of [secret, next, "x".repeat(32)]) {
      statuses.push((await authenticateByJwt(kit, used)).status);
    }
    assertEquals(statuses, [200, 200, 401]);
    await retireClientSecret(admin, "app");
    assertEquals((await authenticateByJwt(kit, secret)).status, 401);
  });

  it("stay encrypted while settings change", async () => {
    const { kit, admin } = await openBoth(hmac);
    const next = await addClientSecret(admin, "app");
    await set(admin, { name: "Documents" });
    const code = await kit.code({ client_id: "app", scope: "openid" });
    const { body } = await kit.redeem(code, { client_id: "app", client_secret: next });
    assertEquals(await isSignedWith(body.id_token, next), true);
    await set(admin, { idTokenAlg: "RS256" });
    const stored = JSON.stringify(await admin.records.clients.find("app"));
    assertEquals(stored.includes("encryptedText"), false);
  });

  const refused: Record<string, [act: (admin: AdminContext) => Promise<unknown>, says: string]> = {
    "a third secret": [async (admin) => {
      await addClientSecret(admin, "app");
      await addClientSecret(admin, "app");
    }, "has two secrets already. To retire the earlier one"],
    "to drop the only secret": [(admin) => dropClientSecret(admin, "app"), "has no second"],
    "to retire the only secret": [(admin) => retireClientSecret(admin, "app"), "has no second"],
    "a second secret of a public client": [async (admin) => {
      await clients.add(admin, { id: "spa", redirectUris });
      await addClientSecret(admin, "spa");
    }, "has no secret. To give it one: hallpass client set spa --secret"],
    "a client of the configuration": [(admin) => addClientSecret(admin, "demo-web"), "is in the"],
  };
  for (const [what, [act, says]] of Object.entries(refused)) {
    it.inBoth(`refuse ${what}`, async ({ admin }) => {
      await assertRejects(() => act(admin), AdminError, says);
    });
  }
});

async function isSignedWith(jwt: string, key: string): Promise<boolean> {
  return await compactVerify(jwt, new TextEncoder().encode(key)).then(() => true, () => false);
}

async function authenticateByJwt(kit: Kit, key: string) {
  return await kit.token({ grant_type: "client_credentials", ...await assertionOf(kit, key) });
}

async function assertionOf(kit: Kit, key: string) {
  const now = Math.floor(kit.clock.now / 1000);
  const client_assertion = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("app").setSubject("app").setAudience(kit.issuer)
    .setJti(crypto.randomUUID()).setIssuedAt(now).setExpirationTime(now + 60)
    .sign(new TextEncoder().encode(key));
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion,
  };
}
