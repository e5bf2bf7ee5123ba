import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  checkEviction,
  checkFormat,
  checkPrivileges,
  durabilityWarnings,
  failoverWarnings,
  readServerKind,
} from "../../src/server/store/redis/check_server.ts";
import type {
  RedisCommand,
  RedisConnection,
  RedisNode,
} from "../../src/server/store/redis/connection.ts";
import { createScripts } from "../../src/server/store/redis/scripts.ts";
import { roleWarnings } from "../../src/server/store/redis/server_role.ts";
import { UnsuitableServerError } from "../../src/server/store/store_errors.ts";

/** What a server responds to each command, by its words; an error is thrown. */
type Replies = Readonly<Record<string, unknown>>;

function nodeWith(replies: Replies): RedisNode {
  const send = async (command: RedisCommand) => {
    const reply = replies[command.join(" ")] ?? replies[command[0] ?? ""];
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { send };
}

function connectionWith(replies: Replies): RedisConnection {
  const { send } = nodeWith(replies);
  return { send: (_key: string, command: RedisCommand) => send(command) } as RedisConnection;
}

/** A server that shows its settings. */
function nodeSet(settings: Readonly<Record<string, string>>): RedisNode {
  const replies = ["maxmemory-policy", "appendonly", "appendfsync"].map((name) => {
    const value = settings[name];
    return [`CONFIG GET ${name}`, value === undefined ? [] : [name, value]];
  });
  return nodeWith(Object.fromEntries(replies));
}

/** A server of a provider that forbids CONFIG, with its INFO. */
function providedNode(forbidden: string, ...info: string[]): RedisNode {
  const INFO = info.length === 0 ? new Error(forbidden) : ["# Memory", ...info, ""].join("\r\n");
  return nodeWith({ CONFIG: new Error(forbidden), INFO });
}

const noperm = "NOPERM this user has no permissions to run the 'config|get' command";
const unknown = "ERR unknown command 'CONFIG'";

async function failureOf(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(() => undefined, (cause) => {
    assertEquals(cause instanceof UnsuitableServerError, true, `${cause}`);
    return cause.message;
  });
}

describe("What a Redis server says about itself", () => {
  const kinds: Array<[what: string, reply: unknown, mode: string, role: string]> = [
    ["its mode and role", ["mode", "cluster", "role", "replica"], "cluster", "replica"],
    ["them among others", ["id", 3, "role", "replica", "modules", []], "standalone", "replica"],
    ["nothing", [], "standalone", "master"],
    ["something else", "OK", "standalone", "master"],
    ["a name without a value", ["role", "master", "mode"], "", "master"],
  ];
  for (const [what, HELLO, mode, role] of kinds) {
    it(`is read from ${what}`, async () => {
      assertEquals(await readServerKind(connectionWith({ HELLO })), { mode, role });
    });
  }
});

describe("A Redis server that drops rows when its memory is full", () => {
  const safe = nodeSet({ "maxmemory-policy": "noeviction" });
  const lossy = nodeSet({ "maxmemory-policy": "allkeys-lru" });
  const nodes: Array<[what: string, nodes: RedisNode[], isRefused: boolean]> = [
    ["is refused", [lossy], true],
    ["is refused as one of several", [safe, lossy], true],
    ["is refused where only INFO shows it", [
      providedNode(noperm, "maxmemory_policy:allkeys-lru"),
    ], true],
    ["is any but this one", [safe, safe], false],
    ["is not one that hides the setting", [nodeSet({}), providedNode(unknown)], false],
    ["is not one whose INFO has no such line", [providedNode(noperm, "redis_version:8")], false],
    ["is not one whose INFO shows the setting", [
      providedNode(unknown, "maxmemory_policy:noeviction"),
    ], false],
  ];
  for (const [what, servers, isRefused] of nodes) {
    it(what, async () => {
      const failure = await failureOf(checkEviction(servers));
      assertEquals(failure?.includes("(maxmemory-policy allkeys-lru)") ?? false, isRefused);
    });
  }

  it("is not known while a command fails for another reason", async () => {
    const failures = [new Error("LOADING"), new Error("ERR NOPERM"), { message: "NOPERM" }];
    for (const cause of failures) {
      const send = () => Promise.reject(cause);
      assertEquals(await checkEviction([{ send }]).catch((thrown) => thrown), cause);
    }
  });
});

describe("Warnings of what a crash of Redis may lose", () => {
  const [none, some, hidden] = [/keeps no append-only file/, /appendfsync everysec/, /not show/];
  const cases: Array<[what: string, node: RedisNode, warning: RegExp | undefined]> = [
    ["a file, synced always", nodeSet({ appendonly: "yes", appendfsync: "always" }), undefined],
    ["a file, synced sometimes", nodeSet({ appendonly: "yes", appendfsync: "everysec" }), some],
    ["no file", nodeSet({ appendonly: "no", appendfsync: "always" }), none],
    ["hidden settings", nodeSet({}), hidden],
    ["no file by INFO", providedNode(noperm, "aof_enabled:0"), none],
    ["a file by INFO", providedNode(noperm, "aof_enabled:1"), hidden],
    ["neither CONFIG nor INFO", providedNode(unknown), hidden],
  ];
  for (const [what, node, warning] of cases) {
    it(`follow from ${what}`, async () => {
      const warnings = await durabilityWarnings([node]);
      assertEquals(warnings.length, warning ? 1 : 0);
      if (warning) assertMatch(warnings.join(), warning);
    });
  }

  it("come once for several servers", async () => {
    const nodes = [nodeSet({}), nodeSet({}), nodeSet({ appendonly: "no" })];
    assertEquals((await durabilityWarnings(nodes)).length, 2);
  });
});

describe("Warnings of what a failover of Redis may undo", () => {
  const cases: Array<[what: string, node: RedisNode, count: number]> = [
    ["a master without replicas", providedNode(noperm, "connected_slaves:0"), 0],
    ["a master that goes on without its replica", providedNode(noperm, "connected_slaves:1"), 1],
    [
      "a master that needs its replica",
      providedNode(noperm, "connected_slaves:1", "min_slaves_good_slaves:1"),
      0,
    ],
    ["a server that hides it", providedNode(noperm), 0],
  ];
  for (const [what, node, count] of cases) {
    it(`R4: ${count} follow from ${what}`, async () => {
      const warnings = await failoverWarnings([node, node]);
      assertEquals(warnings.length, count);
      for (const warning of warnings) assertMatch(warning, /sign-outs.*min-replicas-to-write 1/);
    });
  }
});

describe("The rows and privileges in Redis", () => {
  it("Y4: have a mark of Hallpass, or no mark yet", async () => {
    for (const GET of ["1", "", "another hallpass 1", new Error("WRONGTYPE Operation against")]) {
      const failure = await failureOf(checkFormat(connectionWith({ GET }), "app:format"));
      assertMatch(
        `${failure}`,
        /^the key app:format is of another application, or in a form .* Name another pref/,
      );
    }
  });

  it("have the format of this program, or of an earlier one", async () => {
    for (const GET of ["hallpass 1", "hallpass 2"]) {
      assertEquals(await failureOf(checkFormat(connectionWith({ GET }), "key")), undefined);
    }
    const failure = await failureOf(checkFormat(connectionWith({ GET: "hallpass 3" }), "key"));
    assertMatch(`${failure}`, /^its rows have version 3 of the format, and this program reads/);
  });

  it("are all that the store needs", async () => {
    const check = async (EVALSHA: string[]) =>
      await failureOf(checkPrivileges(connectionWith({ EVALSHA }), await createScripts(), "key"));
    assertEquals(await check([]), undefined);
    assertEquals(await check(["DEL", "SET"]), "the user may not run DEL, SET on key");
  });
});

describe("The role of a server", () => {
  const master = ["master", 0, []];
  const INFO = "# Replication\r\nrole:master\r\n";
  const forbidden = new Error(noperm);
  const servers: Array<[what: string, replies: Replies, warnings: number]> = [
    ["is known by ROLE", { ROLE: master, INFO: forbidden }, 0],
    ["is known by INFO", { ROLE: forbidden, INFO }, 0],
    [
      "is not known by a server that forbids both",
      { ROLE: new Error(unknown), INFO: forbidden },
      1,
    ],
    ["is not known where INFO does not tell it", { ROLE: forbidden, INFO: "# Memory\r\n" }, 1],
  ];
  for (const [what, replies, count] of servers) {
    it(`Q3: ${what}, ${count === 0 ? "without" : "with"} a warning`, async () => {
      const warnings = await roleWarnings([nodeWith(replies)]);
      assertEquals(warnings.length, count);
      for (const warning of warnings) assertMatch(warning, /neither ROLE nor INFO.*\+role/);
    });
  }
});
