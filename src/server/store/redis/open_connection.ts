import { messagesOf } from "../../util/text/error_message.ts";
import { type FailureReason, UnsuitableServerError } from "../store_errors.ts";
import type { RedisAddress } from "./address.ts";
import { readServerKind, type ServerKind } from "./check_server.ts";
import { connectToCluster, connectToServer, type RedisConnection } from "./connection.ts";
import type { RedisDriver } from "./driver.ts";

/** Connects to the server of an address, or to its Cluster. The server itself knows which it is. */
export async function openConnection(
  driver: RedisDriver,
  address: RedisAddress,
): Promise<RedisConnection> {
  const first = await connectToAny(driver, address);
  try {
    const kind = await readServerKind(first);
    const problem = kindProblem(kind, address);
    if (problem) throw new UnsuitableServerError(problem);
    if (kind.mode !== "cluster") return first;
    const state = String(await first.send("", ["CLUSTER", "INFO"]));
    if (!state.includes("cluster_state:ok")) {
      throw new Error("the Cluster does not serve all of its slots");
    }
  } catch (cause) {
    await first.close();
    throw cause;
  }
  await first.close();
  return await connectToCluster(driver, address);
}

/** Connects to the first host that responds. */
async function connectToAny(driver: RedisDriver, address: RedisAddress): Promise<RedisConnection> {
  let failure: unknown;
  for (const host of address.hosts) {
    try {
      return await connectToServer(driver, address, host);
    } catch (cause) {
      failure = cause;
    }
  }
  throw failure;
}

function kindProblem({ mode, role }: ServerKind, { hosts }: RedisAddress): string | undefined {
  if (mode === "cluster") return undefined;
  if (mode === "sentinel") return "this is a Sentinel. Name the server that it watches";
  if (hosts.length > 1) {
    return "several hosts are the nodes of a Cluster, but this is a single server";
  }
  if (role === "master") return undefined;
  return "the server is a replica, which only reads. Name its master";
}

/** Why connections fail, by the code or the beginning of the message. */
const reasons: readonly FailureReason[] = [
  [/ECONNREFUSED/, "the connection was refused. Check that Redis runs there", "passes"],
  // Ends like Deno's own message, which the program replaces with the name of a task.
  [/EPERM/, "this process may not reach its host, run again with the --allow-net flag"],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|name resolution/i,
    "the name of its host was not found",
    "passes",
  ],
  [
    /ETIMEDOUT|timeout|did not respond/i,
    "it did not respond within 5 seconds. Check the address, and whether it uses TLS",
    "passes",
  ],
  [/^NOPERM/, "the user lacks privileges that the store needs"],
  [/^NOAUTH|HELLO must be called/, "it asks for a password: redis://:PASSWORD@HOST:PORT"],
  [/^WRONGPASS/, "the user name or password is wrong"],
  [/without any password configured|no password is set/, "it has no password, but the URL has one"],
  [/DB index|invalid DB/i, "it has no database with this number"],
  [/SELECT is not allowed/, "a Cluster has only the database 0. Leave the number out"],
  [/^LOADING/, "it is still loading its data. Try again in a moment", "passes"],
  [/^MISCONF/, "it cannot write to its disk", "passes"],
  [/wrong version number|packet length|InvalidContentType|ssl3_get_record/i, "it does not use TLS"],
  [/^CLUSTERDOWN|does not serve all/, "the Cluster does not serve all of its slots", "passes"],
  [/cert|SELF_SIGNED|UnknownIssuer|unable to verify/i, "its TLS certificate is not trusted"],
  [
    /closed|ECONNRESET|EPIPE/i,
    "it closed the connection. Check that it is Redis, and without TLS",
    "passes",
  ],
];

/** Returns why a store could not be opened, in words. */
export function openFailure(cause: unknown): string {
  if (cause instanceof UnsuitableServerError) return cause.message;
  const [, reason] = findReason(cause) ?? [];
  return reason ?? messagesOf(cause);
}

/** Whether the same address may work later. */
export function isUnavailable(cause: unknown): boolean {
  if (cause instanceof UnsuitableServerError) return false;
  const [, , passes] = findReason(cause) ?? [];
  return passes !== undefined;
}

function findReason(cause: unknown): FailureReason | undefined {
  const messages = messagesOf(cause);
  return reasons.find(([pattern]) => pattern.test(messages));
}
