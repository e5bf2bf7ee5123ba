import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { documentCache } from "../../../src/server/features/documents/document_cache.ts";
import { documentTables } from "../../../src/server/features/documents/stored_documents.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { type Kit, openKit, service } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { hasFeature } from "../../support/where_feature.ts";
import type { Tokens } from "../../support/wire.ts";

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];
const client_id = "https://app.example/client.json";
const hour = 3600;

/** The document of a client at a URL. */
function documentOf(url: string) {
  return {
    client_id: url,
    redirect_uris: [`${new URL(url).origin}/cb`],
    grant_types: ["authorization_code", "refresh_token"],
    id_token_signed_response_alg: "EdDSA",
  };
}

/** A web in which every URL describes a client, until a test wants it otherwise. */
function openWeb() {
  const asked: string[] = [];
  const web = {
    asked,
    answer: (url: string): Response | Promise<Response> => Response.json(documentOf(url)),
    fetchUntrusted: async (url: string) => {
      asked.push(url);
      return await web.answer(url);
    },
  };
  return web;
}

/** A lab with the limits of a server for real use. */
function openLab(
  web: ReturnType<typeof openWeb>,
  store = memoryStore(),
  documentsPerMinute = 30,
): Kit {
  const kit = openKit({ fetchUntrusted: web.fetchUntrusted, documentsPerMinute, store });
  kit.address = office;
  return kit;
}

async function lookUp(kit: Kit, id: string, address = kit.address): Promise<number> {
  const before = kit.address;
  kit.address = address;
  const { status } = await kit.ask({ client_id: id, redirect_uri: `${new URL(id).origin}/cb` });
  kit.address = before;
  return status;
}

async function tokensOf(kit: Kit, id = client_id) {
  const fields = { client_id: id, redirect_uri: `${new URL(id).origin}/cb` };
  return (await kit.redeem(await kit.code(fields), fields)).body;
}

/** Whether a token is active, as a sender learns it whose requests are counted. */
async function isActive(kit: Kit, token: string): Promise<boolean> {
  if (!hasFeature("introspection")) return (await kit.userinfo(token)).status === 200;
  return (await kit.introspect(token, {}, service)).body.active;
}

/** What introspection, userinfo and refresh make of tokens. */
async function judge(kit: Kit, { access_token, refresh_token }: Tokens, id = client_id) {
  const active = await isActive(kit, access_token);
  const { status } = await kit.userinfo(access_token);
  return [active, status, (await kit.refresh(refresh_token, { client_id: id })).status];
}

const stands = [true, 200, 200];
const gone = [false, 401, 401];

describe("The documents in the store", () => {
  it("are of clients with a document alone", async () => {
    const kit = openKit();
    await kit.tokens();
    assertEquals(await documentTables(kit.server.context).clients.list(), []);
  });
});

describe("Looking up documents that were never seen before", () => {
  it("M3: is limited to 30 a minute per sender, and others can go on", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const statuses = [];
    for (let n = 0; n < 40; n++) {
      statuses.push(await lookUp(kit, `https://${n}.example/c`, attacker));
    }
    assertEquals([
      statuses.filter((status) => status === 303).length,
      statuses[39],
      web.asked.length,
    ], [30, 429, 30]);
    assertEquals([
      await lookUp(kit, "https://new.example/c"),
      await lookUp(kit, "https://0.example/c", attacker),
    ], [303, 303]);
    kit.clock.advance(60);
    assertEquals(await lookUp(kit, "https://new2.example/c", attacker), 303);
  });

  it("M3: leaves the others a share of each host", async () => {
    const kit = openLab(openWeb());
    const statuses = [];
    for (let n = 0; n < 20; n++) {
      statuses.push(await lookUp(kit, `https://app.example/${n}`, attacker));
    }
    assertEquals(
      [statuses.filter((status) => status === 303).length, await lookUp(kit, client_id)],
      [10, 303],
    );
  });

  it("M3: is limited to 30 a minute per host, and 600 in all", async () => {
    const kit = openLab(openWeb());
    const count = async (times: number, idOf: (n: number) => string) => {
      let found = 0;
      for (let n = 0; n < times; n++) {
        if (await lookUp(kit, idOf(n), `2001:db8:${n.toString(16)}::1`) === 303) found++;
      }
      return found;
    };
    assertEquals(await count(40, (n) => `https://app.example/${n}`), 30);
    kit.clock.advance(60);
    assertEquals(await count(620, (n) => `https://${n}.example/c`), 600);
  });

  it("M3: is not for judging what exists: nothing is fetched for an id that is not kept", async () => {
    const web = openWeb();
    const { server: { context } } = openLab(web);
    assertEquals([await findClient(context, client_id), web.asked], [undefined, []]);
  });
});

describe("The document of a client that has an authorization", () => {
  it("M3: judges tokens, however many lookups there are, also while its site is down", async () => {
    const web = openWeb();
    const kit = openLab(web, memoryStore(), 3);
    const [tokens, others] = [await tokensOf(kit), await tokensOf(kit, "https://b.example/c")];
    const policy_uri = `https://a.example/${"x".repeat(9_000)}`;
    web.answer = (url) => Response.json({ ...documentOf(url), policy_uri });
    for (let n = 0; n < 900; n++) {
      if (n % 60 === 0) kit.clock.advance(60);
      await lookUp(kit, `https://${n}.example/c`, `2001:db8:${n.toString(16)}::1`);
    }
    // The memory for documents is full, and the budget of all senders is used up.
    assertEquals(documentCache(kit.server.context).get("https://100.example/c"), undefined);
    assertEquals(await lookUp(kit, "https://c.example/c", attacker), 429);
    web.answer = (url) => Response.json(documentOf(url));
    assertEquals(await judge(kit, tokens), stands);
    web.answer = () => new Response(null, { status: 503 });
    assertEquals(await judge(kit, others, "https://b.example/c"), stands);
  });

  it("M3: is found by another process, and after a restart", async () => {
    const web = openWeb();
    const store = memoryStore();
    const tokens = await tokensOf(openLab(web, store));
    web.answer = () => Promise.reject(new Error("no route to host"));
    assertEquals([await judge(openLab(web, store), tokens), web.asked.length], [stands, 1]);
  });

  it("M3: is read again once it is stale", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    for (const [seconds, fetches] of [[299, 1], [2, 2], [299, 2], [2, 3]]) {
      kit.clock.advance(present(seconds));
      assertEquals([await isActive(kit, access_token), web.asked.length], [true, fetches]);
    }
  });

  it("M3: is read once for all who ask at the same time", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    kit.clock.advance(301);
    await Promise.all(Array.from({ length: 20 }, () => isActive(kit, access_token)));
    assertEquals(web.asked.length, 2);
  });

  it("M3: is used as it is where our own limits forbid to read it again", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const all: Array<{ id: string; tokens: Tokens }> = [];
    for (let n = 0; n < 35; n++) {
      kit.address = `203.0.113.${n}`;
      if (n === 20) kit.clock.advance(60);
      const id = `https://app.example/${n}`;
      all.push({ id, tokens: await tokensOf(kit, id) });
    }
    kit.clock.advance(400);
    const fetches = web.asked.length;
    for (const { id, tokens } of all) assertEquals(await judge(kit, tokens, id), stands);
    // All requests come from one sender, and lead to one host.
    assertEquals(web.asked.length - fetches, 10);
  });

  const atOneHost = (n: number) => `https://app.example/${n}`;

  /** Stores documents, of one host or of many, each looked up by another network. */
  async function storeDocuments(
    kit: Kit,
    count: number,
    idOf = atOneHost,
  ): Promise<Array<[string, Tokens]>> {
    const stored: Array<[string, Tokens]> = [];
    for (let n = 0; n < count; n++) {
      if (n % 20 === 0) kit.clock.advance(60);
      kit.address = `203.0.113.${n}`;
      const id = idOf(n);
      stored.push([id, await tokensOf(kit, id)]);
    }
    return stored;
  }

  /** Makes stale documents be read again, each by a sender, and counts what is fetched. */
  async function countRereads(
    kit: Kit,
    web: ReturnType<typeof openWeb>,
    stored: Array<[string, Tokens]>,
    senderOf: (n: number) => string,
  ): Promise<number> {
    kit.clock.advance(400);
    const before = web.asked.length;
    for (const [n, [, { access_token }]] of stored.entries()) {
      kit.address = senderOf(n);
      assert(await isActive(kit, access_token));
    }
    return web.asked.length - before;
  }

  it("S7: is read again although its host and all senders have used up their look-ups", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    kit.clock.advance(400);
    for (let n = 0; n < 30; n++) await lookUp(kit, `https://${n}.example/c`);
    for (let n = 0; n < 30; n++) await lookUp(kit, atOneHost(n), `203.0.113.${n}`);
    web.answer = () => new Response(null, { status: 410 });
    assertEquals(await isActive(kit, access_token), false);
  });

  it("S7: is read again however many senders make us read all others", async () => {
    const web = openWeb();
    const kit = openLab(web, memoryStore(), 3);
    const { access_token } = await tokensOf(kit);
    const others = await storeDocuments(kit, 75, (n) => `https://${n}.example/c`);
    assertEquals(await countRereads(kit, web, others, (n) => `198.51.${n % 25}.7`), 75);
    web.answer = () => new Response(null, { status: 410 });
    kit.address = office;
    assertEquals(await isActive(kit, access_token), false);
  });

  it("S7: makes no sender turn us against many sites: 30 a minute are read again", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const stored = await storeDocuments(kit, 35, (n) => `https://${n}.example/c`);
    assertEquals(await countRereads(kit, web, stored, () => attacker), 30);
  });

  it("S7: makes no crowd turn us against one site: 30 a minute are read again", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const stored = await storeDocuments(kit, 35);
    assertEquals(await countRereads(kit, web, stored, (n) => `198.51.${n}.7`), 30);
  });

  it("S7: is read again although one sender makes us read the others of its host all the time", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    const others = await storeDocuments(kit, 30);
    kit.clock.advance(400);
    kit.address = attacker;
    for (const [, tokens] of others) await isActive(kit, present(tokens.access_token));
    web.answer = () => new Response(null, { status: 410 });
    kit.address = office;
    assertEquals(await isActive(kit, access_token), false);
  });

  it("S7: is read again after a day, however much others make us read", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { refresh_token } = await tokensOf(kit);
    const others = await storeDocuments(kit, 35);
    const refresh = async (id: string, refresh_token = "") =>
      await kit.refresh(refresh_token, { client_id: id });
    kit.clock.advance(23 * hour);
    for (const [at, [id, tokens]] of others.entries()) {
      if (at % 20 === 0) kit.clock.advance(60);
      kit.address = `203.0.113.${at}`;
      tokens.refresh_token = (await refresh(id, tokens.refresh_token)).body.refresh_token;
    }
    kit.clock.advance(2 * hour);
    for (const [at, [id, tokens]] of others.entries()) {
      kit.address = `203.0.113.${at}`;
      await refresh(id, tokens.refresh_token);
    }
    web.answer = () => new Response(null, { status: 410 });
    kit.address = office;
    assertEquals((await refresh(client_id, refresh_token)).body.error, "invalid_client");
  });

  const temporary: Array<[what: string, answer: () => Response | Promise<Response>]> = [
    ["cannot be reached", () => Promise.reject(new Error("no route to host"))],
    ["answers 500", () => new Response(null, { status: 500 })],
    ["answers 503", () => new Response(null, { status: 503 })],
    ["answers 429", () => new Response(null, { status: 429 })],
  ];
  for (const [what, answer] of temporary) {
    it(`L1: is used for a day after it was read where its site ${what}, and again when that is over`, async () => {
      const web = openWeb();
      const kit = openLab(web);
      const { refresh_token } = await tokensOf(kit);
      const { answer: wellAnswer } = web;
      web.answer = answer;
      const isKnown = async () =>
        (await kit.refresh(refresh_token, { client_id })).body.error !== "invalid_client";
      kit.clock.advance(23 * hour);
      assert(await isKnown());
      kit.clock.advance(2 * hour);
      assertEquals(await isKnown(), false);
      web.answer = wellAnswer;
      kit.clock.advance(61);
      assert(await isKnown());
    });
  }

  it("L1: is fetched once a minute while its site fails: not every request waits for it", async () => {
    const web = openWeb();
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    web.answer = () => new Response(null, { status: 503 });
    kit.clock.advance(301);
    for (let time = 0; time < 5; time++) assert(await isActive(kit, access_token));
    assertEquals(web.asked.length, 2);
    kit.clock.advance(61);
    assert(await isActive(kit, access_token));
    assertEquals(web.asked.length, 3);
  });

  const final: Record<string, () => Response> = {
    "is gone": () => new Response(null, { status: 410 }),
    "is not found": () => new Response(null, { status: 404 }),
    "is behind a login": () => new Response(null, { status: 401 }),
    "has moved": () => Response.redirect("https://elsewhere.example/"),
    "is no JSON": () => new Response("<html>", { headers: { "Content-Type": "application/json" } }),
    "has another media type": () =>
      new Response(JSON.stringify(documentOf(client_id)), {
        headers: { "Content-Type": "text/html" },
      }),
    "names another client": () => Response.json(documentOf("https://app.example/other.json")),
    "has become invalid": () =>
      Response.json({ ...documentOf(client_id), redirect_uris: ["javascript:alert(1)"] }),
  };
  for (const [what, answer] of Object.entries(final)) {
    it(`L1: ends the client at once where it ${what}`, async () => {
      const web = openWeb();
      const kit = openLab(web);
      const tokens = await tokensOf(kit);
      web.answer = answer;
      kit.clock.advance(301);
      assertEquals(await judge(kit, tokens), gone);
      assertEquals(await documentTables(kit.server.context).clients.list(), []);
    });
  }

  it("L1: does not end the client where the site of its sector fails, only where that no longer lists it", async () => {
    const web = openWeb();
    const sector_identifier_uri = "https://sector.example/uris";
    let sector = () => Response.json(documentOf(client_id).redirect_uris);
    web.answer = (url) =>
      url === sector_identifier_uri
        ? sector()
        : Response.json({ ...documentOf(url), sector_identifier_uri });
    const kit = openLab(web);
    const { access_token } = await tokensOf(kit);
    kit.clock.advance(301);
    sector = () => new Response(null, { status: 503 });
    assert(await isActive(kit, access_token));
    kit.clock.advance(61);
    sector = () => Response.json([]);
    assertEquals(await isActive(kit, access_token), false);
  });

  it("M3: is kept as long as anything that was issued may last, and longer with each authorization", async () => {
    const kit = openLab(openWeb());
    const endOf = async () =>
      (await documentTables(kit.server.context).clients.get(client_id))!.expiresAt;
    await lookUp(kit, client_id);
    assertEquals(await documentTables(kit.server.context).clients.list(), []);
    await tokensOf(kit);
    assertEquals(await endOf(), kit.clock.now + (30 * 24 + 1) * hour * 1000);
    kit.clock.advance(24 * hour);
    await tokensOf(kit);
    assertEquals(await endOf(), kit.clock.now + (30 * 24 + 1) * hour * 1000);
    kit.clock.advance((30 * 24 + 1) * hour);
    assertEquals(await documentTables(kit.server.context).clients.list(), []);
  });

  it("M3: does not live longer for being read again", async () => {
    const kit = openLab(openWeb());
    const { access_token } = await tokensOf(kit);
    const endOf = async () =>
      (await documentTables(kit.server.context).clients.get(client_id))!.expiresAt;
    const end = await endOf();
    kit.clock.advance(301);
    assertEquals([await isActive(kit, access_token), await endOf()], [true, end]);
  });
});

describe("Documents that strangers point to (L1)", () => {
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
    it(`L1: are ${status === 303 ? "read" : "refused"} as ${type}`, async () => {
      const web = openWeb();
      web.answer = (url) =>
        new Response(JSON.stringify(documentOf(url)), { headers: { "Content-Type": type } });
      const kit = openLab(web);
      assertEquals(await lookUp(kit, client_id), status);
    });
  }
});
