import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  backupWarnings,
  leniencyWarnings,
  operationWarnings,
  type WarningTopic,
  weakSecretWarnings,
} from "../../src/cli/operation_warnings.ts";
import type { Config } from "../../src/config/config.ts";
import { recordChange } from "../../src/issuer/admin/changes.ts";
import { createInternalServer } from "../../src/server.ts";
import { memoryStore } from "../../src/store/memory.ts";

const issuer = "https://id.example";
const secret = "a secret of these tests, long enough";
const client = { id: "app", redirectUris: ["https://app.example/callback"] };
const unencrypted = {
  issuer,
  alg: "EdDSA" as const,
  clients: [client],
  trustedProxies: ["10.0.0.1"],
};
const sound = { ...unencrypted, secret };
const operation = { isStoreInMemory: false, port: 9000, hasTls: false };

describe("The warnings of hallpass check", () => {
  const cases: Array<
    [what: string, config: Config, changes: Partial<typeof operation>, about: WarningTopic[]]
  > = [
    ["nothing about a sound server", sound, {}, []],
    ["a store in memory, whose keys are not encrypted", unencrypted, {
      isStoreInMemory: true,
    }, ["store"]],
    ["keys that are not encrypted", unencrypted, {}, ["keys"]],
    ["https without a proxy or a certificate", { ...sound, trustedProxies: [] }, {}, ["proxy"]],
    ["no proxy of a server with TLS", { ...sound, trustedProxies: [] }, { hasTls: true }, []],
    ["no proxy where this machine's is trusted", { ...sound, trustedProxies: "loopback" }, {}, []],
    ["no client", { ...sound, clients: [] }, {}, ["clients"]],
    ["no client that registers itself", { ...sound, clients: [], registration: "open" }, {}, []],
    [
      "a port of localhost that is not the issuer's",
      {
        ...sound,
        trustedProxies: [],
        issuer: "http://localhost:9001",
      },
      {},
      ["address"],
    ],
    ["no port behind a trusted proxy", { ...sound, issuer: "http://localhost:9001" }, {}, []],
    [
      "a claim that no client receives",
      {
        ...sound,
        users: [{ name: "alice", claims: { groups: ["a"] } }],
      },
      {},
      ["claims"],
    ],
  ];
  for (const [what, config, changes, about] of cases) {
    it(`are about ${what}`, async () => {
      const server = createInternalServer(config);
      await server.ready();
      const found = await operationWarnings({ ...operation, ...changes, ctx: server.context });
      assertEquals(found.map((warning) => warning.about), about);
      await server.close();
    });
  }

  it("name a SQLite store without a backup of the last days", async () => {
    const store = { ...memoryStore(), name: "sqlite:a.db" };
    const clock = { now: Date.parse("2026-01-01") };
    const { context } = createInternalServer({ ...unencrypted, store, now: () => clock.now });
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
    const { context } = createInternalServer({ ...unencrypted, store });
    assertEquals(await backupWarnings(context), []);
  });

  it("name every leniency", async () => {
    const server = createInternalServer({ ...sound, refreshReuseGrace: "10s" });
    await server.ready();
    const [warning] = await leniencyWarnings(server.context);
    assertEquals(warning?.about, "leniencies");
    await server.close();
  });

  it("name short secrets and passwords, and quote none of them", () => {
    const found = weakSecretWarnings({
      clients: [
        { id: "short", secret: "x".repeat(21) },
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
        message: "The secret of the client 'short' has fewer than 128 bits. Take one that cannot " +
          "be guessed: openssl rand -base64 32",
      },
      {
        about: "passwords",
        message: "The password of the user 'alice' is shorter than 8 characters.",
      },
    ]);
  });
});
