import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import type { Configuration } from "../../../../src/program/configuration/configuration.ts";
import {
  followConfiguration,
  type FollowingServer,
  isOfEveryStart,
} from "../../../../src/program/features/watch/operate/follow_configuration.ts";
import { UsageError } from "../../../../src/program/terminal/exit_code.ts";
import { ConfigError } from "../../../../src/server/config/problems.ts";
import { itWith } from "../../../support/it_with.ts";

const it = itWith({ inFollowing: () => openFollowing(first) });

/** A server that follows its configuration, whose files change when a test says so. */
function openFollowing(first: Partial<Configuration> = {}) {
  let next: () => Configuration = () => configurationOf(first);
  let changed: string[] = [];
  const printed: string[] = [];
  const replaced: Configuration[] = [];
  const server: FollowingServer = {
    read: async () => next(),
    isOfStart: isOfEveryStart,
    replace: async (configuration) => void replaced.push(configuration),
  };
  const look = followConfiguration(configurationOf(first), server, {
    warn: (message) => void printed.push(message),
    print: ({ text }) => void printed.push(text),
  }, () => () => Promise.resolve(changed));
  return {
    replaced,
    server,
    async change(configuration: Partial<Configuration> | Error, files = ["hallpass.json"]) {
      next = () => {
        if (configuration instanceof Error) throw configuration;
        return configurationOf({ ...first, ...configuration });
      };
      changed = files;
      printed.length = 0;
      await look();
      return printed;
    },
  };
}

function configurationOf(parts: Partial<Configuration>): Configuration {
  return {
    files: ["hallpass.json"],
    secretVariables: [],
    missingSecrets: [],
    hasTls: false,
    lab: {},
    server: {},
    ...parts,
    program: { port: 9000, ...parts.program },
  };
}

const issuer = "https://id.example";
const users = [{ name: "ann" }];
const first = { server: { issuer, users } };

describe("A server that follows its configuration", () => {
  it.inFollowing("has the new settings, and names them", async ({ change, replaced }) => {
    const server = { issuer, users: [{ name: "bob" }], notice: "New." };
    assertEquals(await change({ server }), ["hallpass has new settings: users, notice"]);
    assertEquals(replaced.map((each) => each.server), [server]);
  });

  it.inFollowing("changes nothing for a file that only looks different", async ({ change, replaced }) => {
    assertEquals(await change({ server: { users: [{ name: "ann" }], issuer } }), []);
    assertEquals(replaced, []);
  });

  it.inFollowing("prints every problem of an invalid configuration, and keeps its own", async ({ change, replaced }) => {
    const problems = ["users must be a list", "issuer must be a URL"];
    assertEquals(await change(new ConfigError(problems, "start the server")), [
      "The changed configuration has 2 problems. The server keeps the one that it has.\n" +
      "  - users must be a list\n  - issuer must be a URL",
    ]);
    assertMatch(
      (await change(new UsageError("The configuration x is not JSON."))).join(),
      /has 1 problem\..*\n {2}- The configuration x is not JSON\./,
    );
    assertEquals(replaced, []);
  });

  it.inFollowing("says so when the file has its settings again", async ({ change }) => {
    await change(new UsageError("The file x cannot be read."));
    assertEquals(await change({}), ["hallpass has the settings of the configuration again"]);
    assertEquals(await change({}), []);
  });

  const ofStart: Array<[name: string, Partial<Configuration>]> = [
    ["issuer", { server: { issuer: "https://other.example", users } }],
    ["signingKeys", { server: { issuer, users, signingKeys: [] } }],
    ["secret", { server: { issuer, users, secret: "another" } }],
    ["store", { program: { port: 9000, store: "sqlite:other.db" } }],
    ["port", { program: { port: 9001 } }],
    ["logLevel", { program: { port: 9000, logLevel: "debug" } }],
  ];
  for (const [name, configuration] of ofStart) {
    it.inFollowing(`says that ${name} needs a restart, and changes nothing until then`, async ({ change, replaced }) => {
      const both = { ...configuration, server: { ...configuration.server, notice: "New." } };
      assertEquals(await change({ ...both, server: { ...first.server, ...both.server } }), [
        `A restart is needed for ${name}. Until then, the server keeps the configuration that ` +
        "it has.",
      ]);
      assertEquals(replaced, []);
    });
  }

  it("says that a renewed certificate needs a restart: its port is open", async () => {
    const program = { port: 9000, cert: "tls.crt", key: "tls.key" };
    const { change } = openFollowing({ program });
    await change({}, ["hallpass.json", "tls.crt", "tls.key"]); // the first look
    assertMatch((await change({}, ["tls.crt"])).join(), /^A restart is needed for tls\.crt\./);
  });

  it("has the functions of a module that was read again: what they use may have changed", async () => {
    const claims = () => ({});
    const serverWith = (own: typeof claims) => ({
      server: { ...first.server, policies: { claims: own } },
    });
    const { change } = openFollowing(serverWith(claims));
    assertEquals(await change(serverWith(claims)), []);
    assertEquals(await change(serverWith(() => ({}))), ["hallpass has new settings: policies"]);
  });

  it.inFollowing("keeps its settings when the other server cannot be opened", async ({ change, server }) => {
    server.replace = () => Promise.reject(new Error("The store is away."));
    assertMatch((await change({ server: { issuer } })).join(), /1 problem.*The store is away/s);
    server.replace = () => Promise.resolve();
    assertEquals(await change({ server: { issuer } }), ["hallpass has new settings: users"]);
  });
});
