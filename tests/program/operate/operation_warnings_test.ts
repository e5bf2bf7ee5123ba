import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { findOtherIssuer, noteIssuer } from "../../../src/administration/store_issuer.ts";
import { add as addUser } from "../../../src/administration/users.ts";
import { makeTestKey } from "../../../src/lab/tokens/test_keys.ts";
import { countDirectory, readDirectory } from "../../../src/program/operate/directory.ts";
import { findLeniencies } from "../../../src/program/operate/leniencies.ts";
import {
  findWarnings,
  type KnownFacts,
  type Warning,
  type WarningTopic,
} from "../../../src/program/operate/operation_warnings.ts";
import { listeningSite, type Site } from "../../../src/program/operate/site.ts";
import { type Config, createFullServer } from "../../../src/server/features.ts";
import type { Context } from "../../../src/server/issuer/context.ts";
import { listChanges, recordChange } from "../../../src/server/issuer/directory/changes.ts";
import type { InternalServer } from "../../../src/server/server.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { siteAt } from "../../support/site.ts";

const issuer = "https://id.example";
const secret = "a secret of these tests, long enough";
const client = { id: "app", redirectUris: ["https://app.example/callback"] };
const unencrypted = {
  issuer,
  alg: "EdDSA" as const,
  clients: [client],
  users: [{ name: "ada" }],
  trustedProxies: ["10.0.0.1"],
};
const sound = { ...unencrypted, secret };
const place = siteAt({ issuer });

/** Returns what `check` warns of, for a server that would listen there. */
async function operationWarnings(ctx: Context, changes: Partial<Site> = {}): Promise<Warning[]> {
  const { settings } = ctx;
  const listening = { port: place.port, metrics: undefined, mtls: undefined };
  return findWarnings({
    site: { ...listeningSite(place, settings, listening), ...changes },
    settings,
    encryption: ctx.keys.encryption,
    counts: await countDirectory(ctx),
    directory: await readDirectory(ctx),
    storeWarnings: settings.store.warnings,
    otherIssuer: await findOtherIssuer(ctx),
  });
}

async function backupWarnings(ctx: Context): Promise<Warning[]> {
  const history = { changes: await listChanges(ctx), now: ctx.now() };
  return findWarnings({ settings: ctx.settings, history });
}

function weakSecretWarnings(configuration: KnownFacts["configuration"]): Warning[] {
  return findWarnings({ configuration });
}

/** Opens a server with quick keys, and everything done that it does at its start. */
async function openServer(config: Config): Promise<InternalServer> {
  const server = createFullServer({ policies: { makeKey: makeTestKey }, ...config });
  await server.ready();
  return server;
}

describe("The warnings of hallpass check", () => {
  const cases: Record<string, [config: Config, changes: Partial<Site>, about: WarningTopic[]]> = {
    "nothing about a sound server": [sound, {}, []],
    "a store in memory, whose keys are not encrypted": [unencrypted, {
      isStoreInMemory: true,
    }, ["store"]],
    "keys that are not encrypted": [unencrypted, {}, ["keys"]],
    "https without a proxy or a certificate": [{ ...sound, trustedProxies: [] }, {}, ["proxy"]],
    "no proxy of a server with TLS": [{ ...sound, trustedProxies: [] }, { hasTls: true }, []],
    "no proxy where this machine's is trusted": [{ ...sound, trustedProxies: "loopback" }, {}, []],
    "no client": [{ ...sound, clients: [] }, {}, ["clients"]],
    "no user of a client that they sign in to": [{ ...sound, users: [] }, {}, ["users"]],
    "no user of a client that acts for itself": [
      { ...sound, clients: [{ id: "job", secret: "s".repeat(32) }], users: [] },
      {},
      [],
    ],
    "no user where a function of the configuration knows them": [
      { ...sound, users: [], policies: { authenticate: () => Promise.resolve(undefined) } },
      {},
      [],
    ],
    "no client that registers itself": [{ ...sound, clients: [], registration: "open" }, {}, []],
    "a port of localhost that is not the issuer's": [
      { ...sound, trustedProxies: [], issuer: "http://localhost:9001" },
      {},
      ["address"],
    ],
    "plain http on every interface, past the proxy of this machine": [
      { ...sound, trustedProxies: "loopback" },
      { host: "0.0.0.0" },
      ["address"],
    ],
    "no plain http that a proxy elsewhere uses": [sound, { host: "0.0.0.0" }, []],
    "no plain http in a container": [{ ...sound, trustedProxies: "loopback" }, {
      host: "0.0.0.0",
      inContainer: true,
    }, []],
    "no https on every interface": [sound, { host: "::", hasTls: true }, []],
    "metrics on every interface": [sound, { metrics: metricsOn("0.0.0.0") }, ["address"]],
    "no metrics on loopback": [sound, { metrics: metricsOn("127.0.0.1") }, []],
    "no port behind a trusted proxy": [{ ...sound, issuer: "http://localhost:9001" }, {}, []],
    "a group of a client that no user is in": [
      {
        ...sound,
        clients: [{ ...client, groups: ["staff", "stafff"] }],
        users: [{ name: "ada", claims: { groups: ["staff"] } }],
      },
      {},
      ["clients"],
    ],
    "a claim that no client receives": [
      { ...sound, users: [{ name: "alice", claims: { team: "a" } }] },
      {},
      ["claims"],
    ],
  };
  for (const [what, [config, changes, about]] of Object.entries(cases)) {
    it(`are about ${what}`, async () => {
      const server = await openServer(config);
      const found = await operationWarnings(server.context, changes);
      assertEquals(found.map((warning) => warning.about), about);
      await server.close();
    });
  }

  it("name a client and a user of the store that the configuration hides", async () => {
    const store = memoryStore();
    const { context } = await openServer({ ...sound, clients: [], users: [], store });
    await addClient(context, client);
    await addUser(context, { name: "ada", password: "long enough" });
    const { context: ctx } = await openServer({ ...sound, users: [{ name: "ada" }], store });
    const found = await operationWarnings(ctx);
    assertEquals(found.map(({ about }) => about), ["clients", "users"]);
    const [{ message }] = found as [Warning];
    assertStringIncludes(message, "'app' is in the configuration and in the store");
  });

  it("name another issuer that used the store last", async () => {
    const store = memoryStore();
    const open = async (issuer: string) => (await openServer({ ...sound, issuer, store })).context;
    const topics = async (ctx: Context) => (await operationWarnings(ctx)).map(({ about }) => about);
    const first = await open(issuer);
    assertEquals(await topics(first), [], "in a new store");
    await noteIssuer(first);
    assertEquals(await topics(first), [], "of the same issuer");
    const other = await open("https://other.example");
    assertEquals(await topics(other), ["store"], "of another issuer");
    await noteIssuer(other);
    assertEquals(await topics(other), [], "once it has served");
  });

  it("name a SQLite store without a backup of the last days", async () => {
    const store = { ...memoryStore(), name: "sqlite:a.db" };
    const clock = { now: Date.parse("2026-01-01") };
    const { context } = await openServer({ ...unencrypted, store, now: () => clock.now });
    const topics = async () => (await backupWarnings(context)).map(({ about }) => about);
    const record = (command: string) =>
      recordChange({ ...context, action: { by: "root", command } }, "a");
    const pass = (days: number) => clock.now += days * 24 * 60 * 60 * 1000;
    assertEquals(await topics(), [], "with nothing in it");
    await record("client add");
    pass(6);
    assertEquals(await topics(), [], "in its first week");
    pass(2);
    assertEquals(await topics(), ["backup"]);
    await record("backup");
    assertEquals(await topics(), []);
    pass(8);
    assertEquals(await topics(), ["backup"]);
  });

  it("do not guess about the backups of other databases", async () => {
    const store = { ...memoryStore(), name: "postgres://localhost/hallpass" };
    const { context } = await openServer({ ...unencrypted, store });
    assertEquals(await backupWarnings(context), []);
  });

  it("name every leniency", async () => {
    const server = await openServer({ ...sound, refreshReuseGrace: "10s" });
    await server.ready();
    const leniencies = findLeniencies(server.context.settings, []);
    const [warning] = findWarnings({ leniencies });
    assertEquals(warning?.about, "leniencies");
    await server.close();
  });

  it("name short secrets and passwords together, and quote none of them", () => {
    const found = weakSecretWarnings({
      clients: [
        { id: "short", secret: "x".repeat(21) },
        { id: "other", secret: "x" },
        { id: "long", secret: "x".repeat(22) },
        { id: "public" },
      ],
      users: [
        { name: "alice", password: "alice-1" },
        { name: "bob", password: "bob-1234" },
        { name: "carol" },
      ],
    });
    assertEquals(found, [
      {
        about: "secrets",
        message:
          "Clients whose secret has fewer than 128 bits: short, other. Take one that cannot " +
          "be guessed: openssl rand -hex 32",
      },
      { about: "passwords", message: "Users whose password is shorter than 8 characters: alice." },
    ]);
  });

  it("I5: name secrets that libraries may send without encoding them, and quote none", () => {
    const letters = "x".repeat(30);
    const found = weakSecretWarnings({
      clients: [
        { id: "plus", secret: `${letters}+/` },
        { id: "percent", secret: `${letters}%` },
        { id: "safe", secret: `${letters}/=` },
        { id: "by-post", secret: `${letters}+`, authentication: ["client_secret_post"] },
      ],
    });
    assertEquals(found.map(({ message }) => message), [
      "Clients whose secret contains '+' or '%': plus, percent. In HTTP Basic they must be sent " +
      "as %2B and %25, which some libraries don't do. Use one without: openssl rand -hex 32",
    ]);
  });

  it("names ten of those with the same weakness, and counts the others", () => {
    const users = Array.from({ length: 12 }, (_, at) => ({ name: `user-${at}`, password: "x" }));
    const [{ message = "" } = {}, ...others] = weakSecretWarnings({ users });
    assertEquals([message.endsWith("user-8, user-9 and 2 more."), others], [true, []]);
  });
});

function metricsOn(host: string): Site["metrics"] {
  return { host, port: 9464 };
}
