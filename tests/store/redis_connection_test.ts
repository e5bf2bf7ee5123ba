import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { parseRedisUrl } from "../../src/server/store/redis/address.ts";
import {
  connectToCluster,
  connectToServer,
  type RedisConnection,
} from "../../src/server/store/redis/connection.ts";
import type { RedisDriver } from "../../src/server/store/redis/driver.ts";
import { present } from "../support/present.ts";

/** How a client without a server behaves; each command that has no failure responds with 1. */
interface Behaviour {
  connect?: () => Promise<void>;
  close?: () => Promise<void>;
  failures?: Readonly<Record<string, unknown>>;
  /** What commands respond with in place of 1. */
  replies?: Record<string, unknown>;
}

/** The options of the official client that tests look at. */
interface ClientOptions {
  socket?: { reconnectStrategy: (attempts: number) => number | false };
  defaults?: ClientOptions;
}

/** Creates a driver whose clients have no server, and notes what is called. */
function fakeDriver({ connect, close, failures = {}, replies = {} }: Behaviour = {}) {
  const calls: string[] = [];
  const options: ClientOptions[] = [];
  const limits: unknown[] = [];
  const sendCommand = async ([name = ""]: string[], limit?: unknown) => {
    calls.push(name);
    limits.push(limit);
    if (Object.hasOwn(failures, name)) throw failures[name];
    return replies[name] ?? 1;
  };
  const createClient = (given: ClientOptions) => {
    options.push(given);
    return {
      on: (event: string) => void calls.push(`on ${event}`),
      connect: connect ?? (async () => {}),
      close: close ?? (async () => void calls.push("close")),
      destroy: () => void calls.push("destroy"),
      sendCommand,
    };
  };
  const createCluster = (given: ClientOptions) => ({
    ...createClient(given),
    masters: [1, 2],
    nodeClient: async () => ({ sendCommand }),
    sendCommand: (key: string, isReadonly: boolean, command: string[], limit?: unknown) => {
      calls.push(`${key} ${isReadonly}`);
      return sendCommand(command, limit);
    },
  });
  return {
    driver: { createClient, createCluster } as unknown as RedisDriver,
    calls,
    options,
    limits,
  };
}

const url = "rediss://app:secret@redis.example:7000/3";
const address = parseRedisUrl(url);

type Connect = (driver: RedisDriver, now?: () => number) => Promise<RedisConnection>;

const kinds: Record<string, Connect> = {
  "a server": (driver, now) => connectToServer(driver, address, present(address.hosts[0]), now),
  "a Cluster": (driver, now) => connectToCluster(driver, address, now),
};

const timing = { connectTimeout: 5000, socketTimeout: 5000 };
const common = {
  username: "app",
  password: "secret",
  // Otherwise, requests would pile up behind one that finds no connection.
  disableOfflineQueue: true,
  disableClientInfo: true,
  pingInterval: 2000,
};

describe("What the client for Redis is told", () => {
  it("is the address of a server, and when to give up", async () => {
    const { options: [options] } = await opened("a server");
    const { reconnectStrategy } = present(options?.socket);
    const socket = { ...timing, reconnectStrategy, tls: true, host: "redis.example", port: 7000 };
    assertEquals(options, { RESP: 2, ...common, database: 3, socket } as ClientOptions);
  });

  it("is the same for each node of a Cluster", async () => {
    const { options: [options] } = await opened("a Cluster");
    const { reconnectStrategy } = present(options?.defaults?.socket);
    const defaults = { ...common, socket: { ...timing, reconnectStrategy, tls: true } };
    const rootNodes = [{ socket: { host: "redis.example", port: 7000 } }];
    assertEquals(options, { RESP: 2, rootNodes, defaults } as ClientOptions);
  });

  it("has neither a user nor a password nor TLS if the URL has none", async () => {
    const { driver, options } = fakeDriver();
    const plain = parseRedisUrl("redis://redis.example");
    await connectToServer(driver, plain, present(plain.hosts[0]));
    const [{ socket, ...others } = {}] = options;
    assertEquals(Object.keys(others).filter((name) => /user|pass/.test(name)), []);
    assertEquals("tls" in present(socket), false);
  });
});

async function opened(kind: string, behaviour?: Behaviour) {
  const fake = fakeDriver(behaviour);
  return { ...fake, connection: await present(kinds[kind])(fake.driver) };
}

for (const [kind, connect] of Object.entries(kinds)) {
  describe(`A connection to ${kind}`, () => {
    it("listens to errors, which would end the process otherwise", async () => {
      assertEquals((await opened(kind)).calls, ["on error"]);
    });

    it("gives up commands of the same moment with one timer", async () => {
      const { driver, limits } = fakeDriver();
      let time = 0;
      const { send } = await connect(driver, () => time);
      for (time of [0, 249, 250]) await send("key", ["GET", "key"]);
      const signals = limits.map((limit) => (limit as { abortSignal: unknown }).abortSignal);
      assertEquals(signals.map((signal) => signals.indexOf(signal)), [0, 0, 2]);
    });

    it("is given up if it cannot be made", async () => {
      const failure = new Error("ECONNREFUSED");
      const { driver, calls } = fakeDriver({ connect: () => Promise.reject(failure) });
      assertEquals(await connect(driver).catch((cause) => cause), failure);
      assertEquals(calls, ["on error", "destroy"]);
    });

    it("is made again only after the store was opened, with pauses of at most two seconds", async () => {
      const { connection, options: [options] } = await opened(kind);
      const { reconnectStrategy } = present((options?.defaults ?? options)?.socket);
      assertEquals(reconnectStrategy(0), false);
      connection.keepOpen();
      const pauses = [0, 1, 2, 5, 6, 1000].map(reconnectStrategy);
      assertEquals(pauses, [50, 100, 200, 1600, 2000, 2000]);
    });

    it("closes", async () => {
      const { connection, calls } = await opened(kind);
      await connection.close();
      assertEquals(calls, ["on error", "close"]);
    });

    it("is cut off if it cannot be closed", async () => {
      const close = () => Promise.reject(new Error("EPIPE"));
      const { connection, calls } = await opened(kind, { close });
      await connection.close();
      assertEquals(calls, ["on error", "destroy"]);
    });
  });
}

describe("A command that a server refuses", () => {
  const refusals: Array<[what: string, cause: unknown, calls: string[]]> = [
    [
      "because it takes no writes any more: the connection is made again, to the new master",
      new Error("READONLY You can't write against a read only replica."),
      ["on error", "SET", "QUIT"],
    ],
    ["for another reason", new Error("OOM command not allowed"), ["on error", "SET"]],
    ["in words that only end so", new Error("ERR READONLY"), ["on error", "SET"]],
    ["with something that is no error", { message: "READONLY" }, ["on error", "SET"]],
  ];
  for (const [what, cause, calls] of refusals) {
    it(`fails ${what}`, async () => {
      const fake = await opened("a server", { failures: { SET: cause, QUIT: new Error("EPIPE") } });
      const sent = fake.connection.send("key", ["SET", "key", "value"]);
      assertEquals(await sent.catch((thrown) => thrown), cause);
      assertEquals(fake.calls, calls);
    });
  }
});

describe("A server that becomes a replica and keeps its connections", () => {
  const replica = ["slave", "192.0.2.1", 6379, "connected", 1];
  const forbidden = new Error("NOPERM this user has no permissions to run the command");

  /** Sends a command at an instant, and returns its reply, or the message of its failure. */
  async function openAt(behaviour: Behaviour) {
    const { driver, calls } = fakeDriver(behaviour);
    const clock = { now: 0 };
    const server = await connectToServer(
      driver,
      address,
      present(address.hosts[0]),
      () => clock.now,
    );
    const get = (at: number) => {
      clock.now = at;
      return server.send("key", ["GET", "key"]).catch(({ message }: Error) => message);
    };
    return { get, calls };
  }

  it("Q3: is noticed within two seconds by who only reads, and left", async () => {
    const replies: Record<string, unknown> = { ROLE: ["master", 0, []] };
    const { get, calls } = await openAt({ replies });
    assertEquals([await get(1_000), await get(2_000), await get(2_500)], [1, 1, 1]);
    replies.ROLE = replica;
    const failure = "READONLY The server is a replica now, which only reads.";
    assertEquals([await get(3_999), await get(4_000), await get(4_001)], [1, failure, failure]);
    replies.ROLE = ["master", 0, []];
    assertEquals(await get(4_002), 1);
    const commands = calls.filter((call) => call === "ROLE" || call === "QUIT");
    assertEquals(commands, ["ROLE", "ROLE", "QUIT", "ROLE", "QUIT", "ROLE"]);
  });

  it("Q3: is noticed by all commands that are sent at the time of the question", async () => {
    const { get } = await openAt({ replies: { ROLE: replica } });
    const replies = await Promise.all([get(2_000), get(2_000), get(2_000)]);
    assertEquals(replies.filter((reply) => reply === 1), []);
  });

  it("Q3: is noticed by INFO where ROLE is forbidden", async () => {
    const INFO = "# Replication\r\nrole:slave\r\nmaster_host:192.0.2.1\r\n";
    const { get, calls } = await openAt({ failures: { ROLE: forbidden }, replies: { INFO } });
    assertEquals(String(await get(2_000)).slice(0, 8), "READONLY");
    assertEquals(calls.includes("INFO"), true);
  });

  it("Q3: is no outage where the user may ask by neither, and is asked once", async () => {
    const { get, calls } = await openAt({ failures: { ROLE: forbidden, INFO: forbidden } });
    assertEquals([await get(2_000), await get(4_000), await get(6_000)], [1, 1, 1]);
    assertEquals(calls.filter((call) => call === "ROLE").length, 1);
  });
});

describe("A command for a Cluster", () => {
  it("goes to the master that holds the key, even if it only reads", async () => {
    const { connection, calls } = await opened("a Cluster");
    assertEquals(await connection.send("key", ["GET", "key"]), 1);
    assertEquals(calls, ["on error", "key false", "GET"]);
  });

  it("can go to each master", async () => {
    const { connection, calls } = await opened("a Cluster", {
      failures: { PING: new Error("no") },
    });
    for (const master of await connection.masters()) {
      await assertRejects(() => master.send(["PING"]), Error, "no");
    }
    assertEquals(calls, ["on error", "PING", "PING"]);
  });
});
