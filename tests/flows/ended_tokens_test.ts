import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { set as setClient } from "../../src/administration/client_settings.ts";
import * as clients from "../../src/administration/clients.ts";
import * as users from "../../src/administration/users.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { disconnectApp } from "../../src/server/issuer/authorizations/withdrawals.ts";
import { signJwt } from "../../src/server/issuer/keys/own_jwt.ts";
import type { Authorization } from "../../src/server/issuer/records/rows.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { featureFixtures, plainGrantTypes } from "../features.ts";
import type { Browser } from "../support/browser.ts";
import type { HeldCredential } from "../support/feature_fixtures.ts";
import {
  basic,
  claimsOf,
  endToken,
  type Fields,
  isActive,
  type Kit,
  openKit,
  type ReadResponse,
  seesTokens,
} from "../support/kit.ts";
import { signOut } from "../support/logout.ts";
import { present } from "../support/present.ts";
import { register, sendJson } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

/**
 * Each way to end a client, a user, a session or an authorization, and each kind of token: what the
 * end concerns is inactive afterwards, and still is once everything is there again.
 */
const secret = "a-secret-of-22-characters";
const redirect_uri = "https://app.example/cb";
const documentUrl = "https://app.example/client.json";
const ordersApi = "https://orders.example";
const stockApi = "https://stock.example";
const opaqueApi = "https://opaque.example";
const dora = { name: "dora", password: "dora-password" };
const asDora = { user: "dora", password: "dora-password" };
const withSecret = (id: string) => basic(id, secret);

const canExchange = hasFeature("token exchange");

const app: ClientConfig = {
  id: "app",
  secret,
  idTokenAlg: "EdDSA",
  redirectUris: [redirect_uri],
  scopes: ["openid", "read"],
  ...exchanging(plainGrantTypes, ordersApi),
};
const orders: ClientConfig = {
  id: "orders",
  secret,
  resources: [ordersApi],
  scopes: ["openid", "read"],
  ...exchanging(["client_credentials"], stockApi),
};
const stock: ClientConfig = {
  id: "stock",
  secret,
  resources: [ordersApi, stockApi],
  scopes: ["openid", "read"],
  ...exchanging(["client_credentials"], "third"),
};

/** The grants of a client, which may exchange tokens where the project can do that. */
function exchanging(grantTypes: readonly string[], audience: string): Partial<ClientConfig> {
  if (!canExchange) return { grantTypes: [...grantTypes] };
  const tokenExchange = { audiences: [audience], impersonation: true };
  return { grantTypes: [...grantTypes, tokenExchangeGrantType], tokenExchange };
}

const metadata = {
  redirect_uris: [redirect_uri],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
};

/** The application that the tokens are for: how it is known, and how it authenticates. */
interface Application {
  fields: Fields;
  headers: Record<string, string>;
  /** Replaces its registration, if it has one. */
  replace(): Promise<unknown>;
  isConfidential: boolean;
}

interface World {
  kit: Kit;
  store: Store;
  site: { status: number };
  browser: Browser;
  application: Application;
  kinds: Record<string, Kind>;
  /** What ends the authorization of the first tokens: their refresh token and their code. */
  first: { refreshToken: string; code: string };
}

type Party = "app" | "orders" | "stock" | "dora" | "session" | "authorization" | "first grant";

/** A credential that was issued before the end. */
interface Kind {
  parties: readonly Party[];
  token?: string;
  works(): Promise<boolean>;
}

type ApplicationKind = "stored" | "registered" | "document";

const applicationKinds: readonly ApplicationKind[] = [
  "stored",
  ...hasFeature("registration") ? ["registered" as const] : [],
  ...hasFeature("metadata documents") ? ["document" as const] : [],
];

async function openWorld(applicationKind: ApplicationKind): Promise<World> {
  const site = { status: 200 };
  const document = { ...metadata, client_id: documentUrl };
  const headers = { "Cache-Control": "max-age=60" };
  const store = memoryStore();
  const kit = openKit({
    store,
    resources: [ordersApi, stockApi, { uri: opaqueApi, accessTokenFormat: "opaque" }],
    scopes: { openid: "Know you", read: "Read" },
    clients: [{ id: "checker", secret, ...seesTokens }],
    fetchUntrusted: () =>
      Promise.resolve(Response.json(document, { status: site.status, headers })),
  });
  const { context } = kit.server;
  await clients.add(context, orders);
  await clients.add(context, stock);
  await users.add(context, dora);
  const application = await openApplication(kit, applicationKind);
  const world: World = {
    kit,
    store,
    site,
    browser: kit.browser(),
    application,
    kinds: {},
    first: { refreshToken: "", code: "" },
  };
  world.kinds = await issueKinds(world);
  return world;
}

async function openApplication(kit: Kit, kind: ApplicationKind): Promise<Application> {
  const replace = () => Promise.resolve();
  if (kind === "document") {
    return { fields: { client_id: documentUrl }, headers: {}, replace, isConfidential: false };
  }
  if (kind === "stored") {
    await clients.add(kit.server.context, app);
    const fields = { client_id: "app" };
    return { fields, headers: withSecret("app"), replace, isConfidential: true };
  }
  const { body } = await register(kit, metadata);
  const { client_id, registration_client_uri, registration_access_token } = body;
  return {
    fields: { client_id },
    headers: {},
    isConfidential: false,
    replace: () =>
      sendJson(
        kit,
        "PUT",
        registration_client_uri,
        { ...metadata, client_id },
        registration_access_token,
      ),
  };
}

const scope = "openid read";

async function issueKinds(world: World): Promise<Record<string, Kind>> {
  const { kit, application, browser } = world;
  const { fields, headers, isConfidential } = application;
  const ofUser = ["app", "dora", "session", "authorization"] as const;
  const code = async (resource: Fields["resource"]) =>
    (await kit.authorize({ ...fields, redirect_uri, scope, resource }, asDora, browser))
      .get("code") ?? "";
  const redeem = (code: string) => redeemCode(world, code);
  const asApplication = (parameters: Fields) =>
    kit.token({ ...parameters, ...!isConfidential && fields }, headers);
  const token = (value: string, parties: readonly Party[]): Kind => ({
    parties,
    token: value,
    works: () => isActive(kit, value, withSecret("checker")),
  });
  const firstCode = await code([ordersApi]);
  const tokens = (await redeem(firstCode)).body;
  world.first = { refreshToken: tokens.refresh_token, code: firstCode };
  const ofFirst = [...ofUser, "first grant"] as const;
  const opaque = (await redeem(await code([opaqueApi, ordersApi]))).body;
  const rotated = (await redeem(await code([ordersApi]))).body;
  const refresh = { grant_type: "refresh_token", refresh_token: rotated.refresh_token };
  const refreshed = (await asApplication(refresh)).body;
  const own = (await kit.token(
    { grant_type: "client_credentials", resource: ordersApi },
    withSecret("orders"),
  )).body.access_token;
  const exchangedKinds = async () => {
    const exchanged = present(await exchange(kit, tokens.access_token, "orders"));
    const exchangedOpaque = present(await exchange(kit, opaque.access_token, "orders"));
    const exchangedTwice = present(await exchange(kit, exchanged, "stock"));
    const ownExchanged = present(await exchange(kit, own, "stock"));
    const ownByItself = present(await exchange(kit, own, "orders"));
    const ownExchangedTwice = present(await exchange(kit, ownByItself, "stock"));
    return {
      "exchanged token": token(exchanged, [...ofFirst, "orders"]),
      "exchanged opaque token": token(exchangedOpaque, [...ofUser, "orders"]),
      "token exchanged twice": token(exchangedTwice, [...ofFirst, "orders", "stock"]),
      "client's own token, exchanged": token(ownExchanged, ["orders", "stock"]),
      "client's own token, exchanged twice": token(ownExchangedTwice, ["orders", "stock"]),
    };
  };
  const waitingCode = await code([ordersApi]);
  return {
    "access token": token(tokens.access_token, ofFirst),
    "opaque access token": token(opaque.access_token, ofUser),
    "refreshed access token": token(refreshed.access_token, ofUser),
    "refresh token": token(tokens.refresh_token, ofFirst),
    "rotated refresh token": token(refreshed.refresh_token, ofUser),
    "client's own token": token(own, ["orders"]),
    ...canExchange && await exchangedKinds(),
    "code": { parties: ofUser, works: async () => (await redeem(waitingCode)).status === 200 },
    ...isConfidential && await issueConfidentialKinds(world, tokens.id_token),
  };
}

function redeemCode(
  { kit, application: { fields, headers, isConfidential } }: World,
  code: string,
): Promise<ReadResponse> {
  const client = isConfidential ? { client_id: undefined } : fields;
  return kit.redeem(code, { redirect_uri, ...client }, headers);
}

async function exchange(
  kit: Kit,
  subject_token: string,
  who: "app" | "orders" | "stock",
  type = "access_token",
): Promise<string | undefined> {
  const { body } = await kit.token({
    grant_type: tokenExchangeGrantType,
    subject_token,
    subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
  }, withSecret(who));
  return body.access_token;
}

/** What only the stored application gets. */
async function issueConfidentialKinds(
  { kit, browser }: World,
  idToken: string,
): Promise<Record<string, Kind>> {
  const headers = withSecret("app");
  const held: Record<string, HeldCredential> = {};
  for (const { held: hold } of featureFixtures) {
    Object.assign(
      held,
      await hold?.({ kit, browser, user: asDora, scope, headers, redirectUri: redirect_uri }),
    );
  }
  const ofUser = ["app", "dora", "session", "authorization"] as const;
  return {
    ...canExchange && await issueByIdToken(kit, idToken),
    ...Object.fromEntries(
      Object.entries(held).map(([name, { endsWith, works }]) => [
        name,
        { parties: endsWith === "user" ? ofUser : ["app"], works },
      ]),
    ),
  };
}

/** What an ID token is good for, and what it was exchanged for. */
async function issueByIdToken(kit: Kit, idToken: string): Promise<Record<string, Kind>> {
  const exchanged = present(await exchange(kit, idToken, "app", "id_token"));
  const parties = ["app", "dora", "session", "authorization", "first grant"] as const;
  return {
    "ID token, to exchange": {
      parties,
      works: async () => await exchange(kit, idToken, "app", "id_token") !== undefined,
    },
    "exchanged ID token": {
      parties,
      token: exchanged,
      works: () => isActive(kit, exchanged, withSecret("checker")),
    },
  };
}

/** A way to end something, and what brings its name back. */
interface End {
  party: Party;
  name: string;
  application?: ApplicationKind;
  end(world: World): Promise<unknown>;
  again?(world: World): Promise<unknown>;
}

const ctxOf = ({ kit }: World) => kit.server.context;
const idOf = ({ application }: World) => String(application.fields.client_id);

const endsOfClients = [app, orders, stock].flatMap((config): End[] => {
  const party = config.id as Party;
  const disable = (disabled: boolean) => (world: World) =>
    (disabled ? clients.disable : clients.enable)(ctxOf(world), config.id);
  return [
    { party, name: `${party} is disabled`, end: disable(true), again: disable(false) },
    {
      party,
      name: `${party} is disabled and changed`,
      end: disable(true),
      again: async (world) => {
        await setClient(ctxOf(world), config.id, ({ given }) => ({ ...given, name: "Changed" }));
        await disable(false)(world);
      },
    },
    {
      party,
      name: `${party} is removed`,
      end: (world) => clients.remove(ctxOf(world), config.id),
      again: (world) => clients.add(ctxOf(world), config),
    },
  ];
});

const endsOfOtherApplications: End[] = [
  {
    party: "app",
    application: "registered",
    name: "a registered app is disabled",
    end: (world) => clients.disable(ctxOf(world), idOf(world)),
    again: async (world) => {
      await clients.enable(ctxOf(world), idOf(world));
      await world.application.replace();
    },
  },
  {
    party: "app",
    application: "registered",
    name: "a registered app is removed",
    end: (world) => clients.remove(ctxOf(world), idOf(world)),
    again: async (world) =>
      clients.add(ctxOf(world), { id: idOf(world), redirectUris: [redirect_uri] }),
  },
  ...[410, 404, 302].map((status): End => ({
    party: "app",
    application: "document",
    name: `the document of an app is gone with ${status}`,
    end: async (world) => {
      world.site.status = status;
      world.kit.clock.advance(61);
      await world.kit.get(
        world.kit.authorizationUrl({ client_id: documentUrl }).slice(world.kit.issuer.length),
      );
    },
    again: async (world) => {
      world.site.status = 200;
      world.kit.clock.advance(61);
      await world.kit.authorize({ client_id: documentUrl, redirect_uri, scope }, asDora);
    },
  })),
];

const endsOfUsers: End[] = [
  {
    party: "dora",
    name: "the user is disabled",
    end: (world) => users.disable(ctxOf(world), "dora"),
    again: (world) => users.enable(ctxOf(world), "dora"),
  },
  {
    party: "dora",
    name: "the user is removed",
    end: (world) => users.remove(ctxOf(world), "dora"),
    again: (world) => users.add(ctxOf(world), dora),
  },
  {
    party: "dora",
    name: "the user has a new password",
    end: (world) => users.setPassword(ctxOf(world), "dora", "another-password"),
    again: (world) => users.setPassword(ctxOf(world), "dora", dora.password),
  },
  {
    party: "dora",
    name: "an operator signs the user out",
    end: (world) => users.signOut(ctxOf(world), "dora"),
  },
];

const signInAgain = ({ kit, application: { fields }, browser }: World) =>
  kit.authorize({ ...fields, redirect_uri, scope, prompt: "consent" }, asDora, browser);

const otherEnds: End[] = [
  {
    party: "session",
    name: "the user signs out",
    end: ({ kit, browser }) => signOut(kit, browser),
    again: signInAgain,
  },
  {
    party: "authorization",
    name: "the user takes the access back",
    end: (world) => disconnectApp(ctxOf(world), "dora", idOf(world), "the user removed it"),
    again: signInAgain,
  },
  {
    party: "first grant",
    name: "a refresh token is revoked",
    end: ({ kit, first, application: { headers } }) => endToken(kit, first.refreshToken, headers),
    again: signInAgain,
  },
  {
    party: "first grant",
    name: "a code is used twice",
    end: (world) => redeemCode(world, world.first.code),
    again: signInAgain,
  },
];

const ends = [...endsOfClients, ...endsOfOtherApplications, ...endsOfUsers, ...otherEnds];

/** Whether the end of a party is that of authorizations themselves, whose rows are gone. */
function isAuthorization(party: Party): boolean {
  return party === "authorization" || party === "first grant";
}

/** Requests that were on their way at the end write what they had begun. */
async function writeLate(
  world: World,
  written: ReadonlyArray<[id: string, authorization: Authorization]>,
): Promise<void> {
  const { records } = ctxOf(world);
  for (const [id, authorization] of written) {
    await records.authorizations.put(id, authorization, forever);
  }
}

/** Returns the kinds that still work, of those that concern a party or of the others. */
async function working(
  { kinds }: World,
  isAsked: (kind: Kind) => boolean,
): Promise<string[]> {
  const names: string[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    if (isAsked(kind) && await kind.works()) names.push(name);
  }
  return names;
}

function namesOf({ kinds }: World, isAsked: (kind: Kind) => boolean): string[] {
  return Object.entries(kinds).flatMap(([name, kind]) => isAsked(kind) ? [name] : []);
}

describe("What was revoked stays revoked", () => {
  for (const kind of applicationKinds) {
    it(`every kind of token of a ${kind} client works before anything ends`, async () => {
      const world = await openWorld(kind);
      assertEquals(
        await working(world, () => true),
        namesOf(world, () => true),
        "A feature's 'held' returns what works for the client 'app' until the client, or its user, ends.",
      );
    });
  }

  for (const { name, party, application = "stored", end, again } of ends) {
    if (!applicationKinds.includes(application)) continue;
    it(`S1 S2 S12: ${name}: each token of it is inactive for good, and no other`, async () => {
      const world = await openWorld(application);
      const isConcerned = ({ parties }: Kind) => parties.includes(party);
      const written = await world.kit.server.context.records.authorizations.list();
      await end(world);
      if (!isAuthorization(party)) await writeLate(world, written);
      assertEquals(await working(world, isConcerned), []);
      await again?.(world);
      assertEquals(await working(world, isConcerned), []);
      const isOther = (kind: Kind) => !isConcerned(kind);
      assertEquals(await working(world, isOther), namesOf(world, isOther));
    });
  }
});

/** Removes the client from what waits for a user or a client. */
async function withoutClient({ store }: World): Promise<void> {
  const strip = ({ requestedBy: _, ...value }: Record<string, unknown>) => value;
  const kinds = ["device-code", "user-code", "pushed-request", "auth-req-id"];
  for (const kind of kinds) {
    for (const [id, { usedAt: __, ...row }] of await store.list(kind, { limit: 100 })) {
      const value = strip(Object(row.value));
      const inner = value.authorizationRequest;
      const authorizationRequest = inner && strip(Object(inner));
      await store.put(kind, id, { ...row, value: { ...value, authorizationRequest } });
    }
  }
}

describe("What does not name the clients that it ends with", () => {
  const exchangedKinds = ["exchanged token", "token exchanged twice", "exchanged ID token"];
  for (const kind of canExchange ? exchangedKinds : []) {
    it(`S1: is not active, and cannot be exchanged: ${kind}`, async () => {
      const { kit, kinds } = await openWorld("stored");
      const { context } = kit.server;
      const { exchanged_by: _, ...claims } = claimsOf<{ exchanged_by?: unknown }>(
        kinds[kind]?.token ?? "",
      );
      const token = await signJwt(context, context.settings.alg, "at+jwt", claims);
      await context.records.opaqueTokens.put("opaque", { claims: claims as never }, forever);
      for (const each of [token, "opaque"]) {
        assertEquals(await isActive(kit, each, withSecret("checker")), false);
        assertEquals(await exchange(kit, each, "stock"), undefined);
      }
    });
  }

  it("is refused: device codes, user codes, pushed requests and auth_req_ids", async () => {
    const world = await openWorld("stored");
    await withoutClient(world);
    const isOfClient = ({ parties }: Kind) => parties.length === 1 && parties[0] === "app";
    const hasKinds = ["device flow", "pushed authorization requests"].some((name) =>
      hasFeature(name)
    );
    assertEquals(namesOf(world, isOfClient).length > 0, hasKinds);
    assertEquals(await working(world, isOfClient), []);
  });
});
