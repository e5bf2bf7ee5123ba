import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { documentCache } from "../../../src/server/features/documents/document_cache.ts";
import { documents } from "../../../src/server/features/documents/feature.ts";
import {
  documentTables,
  storeClientDocument,
} from "../../../src/server/features/documents/stored_documents.ts";
import { createAssertedAuthorization } from "../../../src/server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { itWith } from "../../support/it_with.ts";
import { type Kit, service } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { lateStore } from "../../support/stores.ts";
import { hasFeature } from "../../support/where_feature.ts";
import type { Tokens } from "../../support/wire.ts";
import {
  described,
  type DocumentKit,
  documentOf,
  documentUrl,
  failing,
  openDocuments,
  openWeb,
  redirectUriOf,
} from "./document_kit.ts";

const it = itWith({ inLab: () => openLimited() });

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];
const hour = 3600;

/** A lab with the limits of a server for real use. */
function openLimited(documentsPerMinute = 30, store = memoryStore(), web = openWeb()): DocumentKit {
  const kit = openDocuments({ documentsPerMinute, store }, web);
  kit.address = office;
  return kit;
}

/** Sends an authorization request of a client from an address, and returns the status. */
async function lookUp(kit: Kit, client_id = documentUrl, address = office): Promise<number> {
  kit.address = address;
  const { status } = await kit.ask({ client_id, redirect_uri: redirectUriOf(client_id) });
  kit.address = office;
  return status;
}

/** Counts the clients that are found, each looked up from an address. */
async function countFound(
  kit: Kit,
  count: number,
  idOf: (n: number) => string,
  addressOf: (n: number) => string = () => attacker,
): Promise<number> {
  let found = 0;
  for (let n = 0; n < count; n++) {
    if (await lookUp(kit, idOf(n), addressOf(n)) === 303) found++;
  }
  return found;
}

const atOneHost = (n: number) => `https://app.example/${n}`;
const atManyHosts = (n: number) => `https://${n}.example/c`;
const fromManyNetworks = (n: number) => `2001:db8:${n.toString(16)}::1`;

async function tokensOf(kit: Kit, client_id = documentUrl): Promise<Tokens> {
  const fields = { client_id, redirect_uri: redirectUriOf(client_id) };
  return (await kit.redeem(await kit.code(fields), fields)).body;
}

/** Whether a token is active, as a sender learns it whose requests are counted. */
async function isActive(kit: Kit, token: string): Promise<boolean> {
  if (!hasFeature("introspection")) return (await kit.userinfo(token)).status === 200;
  return (await kit.introspect(token, {}, service)).body.active;
}

/** What introspection, userinfo and refresh make of tokens. */
async function judge(kit: Kit, { access_token, refresh_token }: Tokens, client_id = documentUrl) {
  const active = await isActive(kit, access_token);
  const { status } = await kit.userinfo(access_token);
  return [active, status, (await kit.refresh(refresh_token, { client_id })).status];
}

const known = [true, 200, 200];
const gone = [false, 401, 401];

const storedDocuments = ({ server }: Kit) => documentTables(server.context).clients.list();

describe("Looking up documents that were never seen before", () => {
  it.inLab("M3: is limited to 30 a minute per sender, and others can go on", async (kit) => {
    assertEquals(await countFound(kit, 40, atManyHosts), 30);
    assertEquals(kit.web.asked.length, 30);
    assertEquals(await lookUp(kit, "https://new.example/c", attacker), 429);
    assertEquals(await lookUp(kit, "https://new.example/c"), 303);
    assertEquals(await lookUp(kit, atManyHosts(0), attacker), 303);
    kit.clock.advance(60);
    assertEquals(await lookUp(kit, "https://new2.example/c", attacker), 303);
  });

  it.inLab("M3: leaves the others a share of each host", async (kit) => {
    assertEquals(await countFound(kit, 20, atOneHost), 10);
    assertEquals(await lookUp(kit), 303);
  });

  it.inLab("M3: is limited to 30 a minute per host, and 600 in all", async (kit) => {
    assertEquals(await countFound(kit, 40, atOneHost, fromManyNetworks), 30);
    kit.clock.advance(60);
    assertEquals(await countFound(kit, 620, atManyHosts, fromManyNetworks), 600);
  });

  it.inLab("M3: is not for judging what exists: what was read is found until it is stale, without a fetch", async (kit) => {
    const find = present(documents.documentClients?.find);
    const found = () => find(kit.server.context, documentUrl);
    assertEquals([await found(), kit.web.asked], [undefined, []]);
    await lookUp(kit);
    kit.clock.advance(299.999);
    assertEquals((await found())?.id, documentUrl);
    kit.clock.advance(0.001);
    assertEquals([await found(), kit.web.asked.length], [undefined, 1]);
  });
});

describe("The document of a client that has an authorization", () => {
  it("M3: judges tokens, however many lookups there are, also while its site is down", async () => {
    const kit = openLimited(3);
    const [tokens, others] = [await tokensOf(kit), await tokensOf(kit, "https://b.example/c")];
    kit.web.respond = described({ policy_uri: `https://a.example/${"x".repeat(9_000)}` });
    for (let n = 0; n < 900; n++) {
      if (n % 60 === 0) kit.clock.advance(60);
      await lookUp(kit, atManyHosts(n), fromManyNetworks(n));
    }
    // The memory for documents is full, and the budget of all senders is used up.
    assertEquals(documentCache(kit.server.context).get(atManyHosts(100)), undefined);
    assertEquals(await lookUp(kit, "https://c.example/c", attacker), 429);
    kit.web.respond = described();
    assertEquals(await judge(kit, tokens), known);
    kit.web.respond = failing(503);
    assertEquals(await judge(kit, others, "https://b.example/c"), known);
  });

  it("M3: is found by another process, and after a restart, where documents are allowed", async () => {
    const store = memoryStore();
    const { web, ...kit } = openLimited(30, store);
    const tokens = await tokensOf(kit);
    assertEquals(
      await judge(openDocuments({ store, clientMetadataDocuments: false }), tokens),
      gone,
    );
    web.respond = () => Promise.reject(new Error("no route to host"));
    assertEquals(await judge(openLimited(30, store, web), tokens), known);
    assertEquals(web.asked.length, 1);
  });

  it.inLab("M3: is read again once it is stale", async (kit) => {
    const { access_token } = await tokensOf(kit);
    for (const [seconds, fetches] of [[299, 1], [2, 2], [299, 2], [2, 3]]) {
      kit.clock.advance(present(seconds));
      assertEquals([await isActive(kit, access_token), kit.web.asked.length], [true, fetches]);
    }
  });

  it.inLab("M3: is read once for all who ask at the same time", async (kit) => {
    const { access_token } = await tokensOf(kit);
    kit.clock.advance(301);
    await Promise.all(Array.from({ length: 20 }, () => isActive(kit, access_token)));
    assertEquals(kit.web.asked.length, 2);
  });

  type Stored = Array<[client_id: string, tokens: Tokens]>;

  /** Stores documents, of one host or of many, each looked up by another network. */
  async function storeDocuments(kit: Kit, count: number, idOf = atOneHost): Promise<Stored> {
    const stored: Stored = [];
    for (let n = 0; n < count; n++) {
      if (n % 20 === 0) kit.clock.advance(60);
      kit.address = `203.0.113.${n}`;
      stored.push([idOf(n), await tokensOf(kit, idOf(n))]);
    }
    kit.address = office;
    return stored;
  }

  /** Makes stale documents be read again, each by a sender, and counts what is fetched. */
  async function countRereads(
    kit: DocumentKit,
    stored: Stored,
    senderOf: (n: number) => string = () => attacker,
  ): Promise<number> {
    kit.clock.advance(400);
    const before = kit.web.asked.length;
    for (const [n, [, { access_token }]] of stored.entries()) {
      kit.address = senderOf(n);
      assert(await isActive(kit, access_token));
    }
    kit.address = office;
    return kit.web.asked.length - before;
  }

  it.inLab("M3: is used as it is where our own limits forbid to read it again", async (kit) => {
    const all = await storeDocuments(kit, 35);
    kit.clock.advance(400);
    const fetches = kit.web.asked.length;
    for (const [id, tokens] of all) assertEquals(await judge(kit, tokens, id), known);
    // All requests come from one sender, and lead to one host.
    assertEquals(kit.web.asked.length - fetches, 10);
  });

  /** What others do at a lab whose documents are stale, before the site of one withdraws it. */
  const crowds: Record<string, (kit: DocumentKit) => Promise<void>> = {
    "its host and all senders have used up their look-ups": async (kit) => {
      kit.clock.advance(400);
      await countFound(kit, 30, atManyHosts, () => office);
      await countFound(kit, 30, atOneHost, (n) => `203.0.113.${n}`);
    },
    "one sender makes us read the others of its host all the time": async (kit) => {
      assertEquals(await countRereads(kit, await storeDocuments(kit, 30)), 10);
    },
  };
  for (const [what, crowd] of Object.entries(crowds)) {
    it.inLab(`S7: is read again although ${what}`, async (kit) => {
      const { access_token } = await tokensOf(kit);
      await crowd(kit);
      kit.web.respond = failing(410);
      assertEquals(await isActive(kit, access_token), false);
    });
  }

  it("S7: is read again however many senders make us read all others", async () => {
    const kit = openLimited(3);
    const { access_token } = await tokensOf(kit);
    const others = await storeDocuments(kit, 75, atManyHosts);
    assertEquals(await countRereads(kit, others, (n) => `198.51.${n % 25}.7`), 75);
    kit.web.respond = failing(410);
    assertEquals(await isActive(kit, access_token), false);
  });

  it.inLab("S7: makes no sender turn us against many sites: 30 a minute are read again", async (kit) => {
    assertEquals(await countRereads(kit, await storeDocuments(kit, 35, atManyHosts)), 30);
  });

  it.inLab("S7: makes no crowd turn us against one site: 30 a minute are read again", async (kit) => {
    const stored = await storeDocuments(kit, 35);
    assertEquals(await countRereads(kit, stored, (n) => `198.51.${n}.7`), 30);
  });

  it.inLab("S7: is read again after a day, however much others make us read", async (kit) => {
    const { refresh_token } = await tokensOf(kit);
    const others = await storeDocuments(kit, 35);
    const refresh = async (client_id: string, token: string) =>
      (await kit.refresh(token, { client_id })).body;
    kit.clock.advance(23 * hour);
    for (const [n, [id, tokens]] of others.entries()) {
      if (n % 20 === 0) kit.clock.advance(60);
      kit.address = `203.0.113.${n}`;
      tokens.refresh_token = (await refresh(id, tokens.refresh_token)).refresh_token;
    }
    kit.clock.advance(2 * hour);
    for (const [n, [id, tokens]] of others.entries()) {
      kit.address = `203.0.113.${n}`;
      await refresh(id, tokens.refresh_token);
    }
    kit.web.respond = failing(410);
    kit.address = office;
    assertEquals((await refresh(documentUrl, refresh_token)).error, "invalid_client");
  });

  const temporary: Record<string, () => Response | Promise<Response>> = {
    "cannot be reached": () => Promise.reject(new Error("no route to host")),
    "answers 500": failing(500),
    "answers 503": failing(503),
    "answers 429": failing(429),
  };
  for (const [what, respond] of Object.entries(temporary)) {
    it.inLab(`L1: is used for a day after it was read where its site ${what}, and again when that is over`, async (kit) => {
      const { refresh_token } = await tokensOf(kit);
      const isKnown = async (seconds: number) => {
        kit.clock.advance(seconds);
        const { body } = await kit.refresh(refresh_token, { client_id: documentUrl });
        return body.error !== "invalid_client";
      };
      kit.web.respond = respond;
      assertEquals([await isKnown(23 * hour), await isKnown(2 * hour)], [true, false]);
      kit.web.respond = described();
      assert(await isKnown(61));
    });
  }

  it.inLab("L1: is fetched once a minute while its site fails: not every request waits for it", async (kit) => {
    const { access_token } = await tokensOf(kit);
    kit.web.respond = failing(503);
    kit.clock.advance(301);
    for (let time = 0; time < 5; time++) assert(await isActive(kit, access_token));
    assertEquals(kit.web.asked.length, 2);
    for (const [seconds, fetches] of [[59.999, 2], [0.001, 3]] as const) {
      kit.clock.advance(seconds);
      assertEquals([await isActive(kit, access_token), kit.web.asked.length], [true, fetches]);
    }
  });

  const ofType = (type: string, body = JSON.stringify(documentOf())) => () =>
    new Response(body, { headers: { "Content-Type": type } });

  const final: Record<string, (url: string) => Response> = {
    "is gone": failing(410),
    "is not found": failing(404),
    "is behind a login": failing(401),
    "has moved": () => Response.redirect("https://elsewhere.example/"),
    "is no JSON": ofType("application/json", "<html>"),
    "has another media type": ofType("text/html"),
    "names another client": described({ client_id: "https://app.example/other.json" }),
    "has become invalid": described({ redirect_uris: ["javascript:alert(1)"] }),
  };
  for (const [what, respond] of Object.entries(final)) {
    it.inLab(`L1: ends the client at once where it ${what}`, async (kit) => {
      const tokens = await tokensOf(kit);
      kit.web.respond = respond;
      kit.clock.advance(301);
      assertEquals(await judge(kit, tokens), gone);
      assertEquals(await storedDocuments(kit), []);
    });
  }

  it.inLab("L1: does not end the client where the site of its sector fails, only where that no longer lists it", async (kit) => {
    const sector_identifier_uri = "https://sector.example/uris";
    let sector = () => Response.json(documentOf().redirect_uris);
    const site = described({ sector_identifier_uri });
    kit.web.respond = (url) => url === sector_identifier_uri ? sector() : site(url);
    const { access_token } = await tokensOf(kit);
    kit.clock.advance(301);
    sector = failing(503);
    assert(await isActive(kit, access_token));
    kit.clock.advance(61);
    sector = () => Response.json([]);
    assertEquals(await isActive(kit, access_token), false);
  });

  /** Returns the seconds until the stored document goes. */
  async function secondsLeft({ server, clock }: Kit): Promise<number> {
    const row = present(await documentTables(server.context).clients.get(documentUrl));
    return (row.expiresAt - clock.now) / 1000;
  }

  it.inLab("M3: is kept as long as anything that was issued may last, and longer with each authorization", async (kit) => {
    const lifetime = (30 * 24 + 1) * hour;
    await kit.tokens();
    await lookUp(kit);
    assertEquals(await storedDocuments(kit), []);
    const { access_token } = await tokensOf(kit);
    assertEquals(await secondsLeft(kit), lifetime);
    kit.clock.advance(301);
    // Being read again prolongs nothing.
    assertEquals([await isActive(kit, access_token), await secondsLeft(kit)], [
      true,
      lifetime - 301,
    ]);
    await tokensOf(kit);
    assertEquals(await secondsLeft(kit), lifetime);
    kit.clock.advance(lifetime);
    assertEquals(await storedDocuments(kit), []);
  });

  it("is kept as long as the token of an assertion, and then longer for a session, whose end the client learns", async () => {
    const lifetimes = { accessToken: 300, refreshToken: 7200, session: 9000 };
    const kit = openDocuments({ lifetimes }, openWeb(described({ grant_types: undefined })));
    const { context } = kit.server;
    await lookUp(kit);
    const client = present(await findClient(context, documentUrl));
    const alice = present(await context.settings.users.get("alice"));
    const access = { scope: ["read"], resources: [] };
    for (const lifetime of [lifetimes.accessToken, lifetimes.session]) {
      await createAssertedAuthorization(context, client, alice, access);
      assertEquals(await secondsLeft(kit), lifetime);
      await tokensOf(kit);
      assertEquals(await secondsLeft(kit), lifetimes.session);
    }
  });

  it("R1: is not brought back by a longer life once it was withdrawn", async () => {
    const store = lateStore();
    const { context } = openLimited(30, store).server;
    const { clients } = documentTables(context);
    const client = {
      id: documentUrl,
      secrets: [],
      document: { readAt: 0, freshUntil: 0 },
    } as never;
    const until = Date.UTC(2027, 0, 1);
    await storeClientDocument(context, client, until);
    const happen = store.delay("client-document");
    await assertRejects(() => storeClientDocument(context, client, until + 1));
    await clients.delete(documentUrl);
    await happen();
    assertEquals(await clients.find(documentUrl), undefined);
  });

  const types: Array<[type: string, status: number]> = [
    ["application/json", 303],
    ["application/json; charset=utf-8", 303],
    ["Application/JSON", 303],
    ["application/client-metadata+json", 303],
    ["text/html", 400],
    ["text/plain", 400],
    ["application/octet-stream", 400],
    ["application/jsonp", 400],
    ["image/svg+json", 400],
  ];
  for (const [type, status] of types) {
    it.inLab(`L1: is ${status === 303 ? "read" : "refused"} as ${type}`, async (kit) => {
      kit.web.respond = ofType(type);
      assertEquals(await lookUp(kit), status);
    });
  }
});
