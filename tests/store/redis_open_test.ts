import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { parseRedisUrl } from "../../src/server/store/redis/address.ts";
import type { RedisDriver } from "../../src/server/store/redis/driver.ts";
import { openConnection, openFailure } from "../../src/server/store/redis/open_connection.ts";
import { UnsuitableServerError } from "../../src/server/store/store_errors.ts";

/** The servers behind the names of hosts; the others refuse connections. */
interface Servers {
  [host: string]: { mode: string; role?: string; state?: string };
}

/** Opens a connection to servers that are not there, and notes what is opened and closed. */
async function open(url: string, servers: Servers) {
  const calls: string[] = [];
  const createClient = ({ socket: { host } }: { socket: { host: string } }) => {
    const { mode = "", role = "master", state = "" } = servers[host] ?? {};
    return {
      on: () => {},
      connect: async () => {
        calls.push(`connect ${host}`);
        if (!servers[host]) throw new Error(`ECONNREFUSED ${host}`);
      },
      close: async () => void calls.push(`close ${host}`),
      destroy: () => {},
      sendCommand: async ([name]: string[]) =>
        name === "HELLO" ? ["mode", mode, "role", role] : `cluster_state:${state}`,
    };
  };
  const createCluster = () => ({
    on: () => {},
    connect: async () => void calls.push("connect to all"),
  });
  const driver = { createClient, createCluster } as unknown as RedisDriver;
  const failure = await openConnection(driver, parseRedisUrl(url))
    .then(() => undefined, (cause) => openFailure(cause));
  return { calls, failure };
}

const single = { mode: "standalone" };

describe("Opening a connection to Redis", () => {
  const opened: Array<[what: string, url: string, servers: Servers, calls: string[]]> = [
    ["one server", "redis://a", { a: single }, ["connect a"]],
    ["a Cluster", "redis://a", { a: { mode: "cluster", state: "ok" } }, [
      "connect a",
      "close a",
      "connect to all",
    ]],
    ["a Cluster, through a replica in it", "redis://a", {
      a: { mode: "cluster", role: "replica", state: "ok" },
    }, ["connect a", "close a", "connect to all"]],
    ["a Cluster, through the first node that responds", "redis://a,b,c", {
      b: { mode: "cluster", state: "ok" },
      c: { mode: "cluster", state: "ok" },
    }, ["connect a", "connect b", "close b", "connect to all"]],
  ];
  for (const [what, url, servers, calls] of opened) {
    it(`reaches ${what}`, async () => {
      assertEquals(await open(url, servers), { calls, failure: undefined });
    });
  }

  const refused: Record<string, [url: string, servers: Servers, failure: string]> = {
    "a replica": [
      "redis://a",
      { a: { mode: "standalone", role: "replica" } },
      "the server is a replica, which only reads. Name its master",
    ],
    "a Sentinel": [
      "redis://a",
      { a: { mode: "sentinel" } },
      "this is a Sentinel. Name the server that it watches",
    ],
    "several servers that are no Cluster": [
      "redis://a,b",
      { a: single, b: single },
      "several hosts are the nodes of a Cluster, but this is a single server",
    ],
    "a Cluster without all of its slots": [
      "redis://a",
      { a: { mode: "cluster", state: "fail" } },
      "the Cluster does not serve all of its slots",
    ],
  };
  for (const [what, [url, servers, failure]] of Object.entries(refused)) {
    it(`is refused for ${what}, and closes the connection`, async () => {
      assertEquals(await open(url, servers), { calls: ["connect a", "close a"], failure });
    });
  }

  it("fails if no host responds", async () => {
    const failure = "the connection was refused. Check that Redis runs there";
    assertEquals(await open("redis://a,b", {}), { calls: ["connect a", "connect b"], failure });
  });
});

describe("Why a Redis store cannot be opened", () => {
  it("is said in words that we chose, where we know it", () => {
    assertEquals(openFailure(new Error("WRONGPASS x")), "the user name or password is wrong");
    assertEquals(openFailure(new Error("something else")), "something else");
  });

  it("is never reworded where the server is unsuitable", () => {
    const message = "the user may not run DEL on closed";
    assertEquals(openFailure(new UnsuitableServerError(message)), message);
  });
});
