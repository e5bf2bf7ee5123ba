import { withTimeout } from "../../util/time/promises.ts";
import type { ServerHost } from "../server_url.ts";
import type { RedisAddress } from "./address.ts";
import type { RedisDriver } from "./driver.ts";
import { createRoleCheck } from "./server_role.ts";

/** How long a server may take to respond before the connection counts as broken. */
const responseTimeout = 5 * 1000;

/** For how long commands share a timer, in milliseconds. One for each would cost as much as all else. */
const sharedFor = 250;

/** How often an idle connection is tested. */
const pingInterval = 2 * 1000;

/** The first pause before a reconnection. It doubles up to the maximum. */
const minReconnectPause = 50;
const maxReconnectPause = 2 * 1000;

export type RedisCommand = readonly string[];

export interface RedisNode {
  send(command: RedisCommand): Promise<unknown>;
}

/** A connection to one server, or to all masters of a Cluster. */
export interface RedisConnection {
  /** Whether it is to a Cluster, whose replicas send us to their masters. */
  readonly isCluster: boolean;
  /** Sends a command to the server that holds a key. Commands of one turn are sent together. */
  send(key: string, command: RedisCommand): Promise<unknown>;
  /** Returns every server that takes writes. */
  masters(): Promise<RedisNode[]>;
  /** From now on, a lost connection is made again. Before, it is an error. */
  keepOpen(): void;
  close(): Promise<void>;
}

export async function connectToServer(
  { createClient }: RedisDriver,
  address: RedisAddress,
  { host, port }: ServerHost,
  now: () => number = () => performance.now(),
): Promise<RedisConnection> {
  const reconnection = createReconnection();
  const options = clientOptions(address, reconnection.pauseBefore);
  const socket = { ...options.socket, host, port };
  const client = createClient({ ...options, database: address.database, socket });
  // Each command reports its own failure. Without a listener, this event would end the process.
  client.on("error", () => {});
  await withTimeout(responseTimeout, client.connect(), timedOut).catch((cause) => {
    client.destroy();
    throw cause;
  });
  const limit = createSharedTimeout(now);
  const sendAlone = (command: RedisCommand) => client.sendCommand([...command], limit());
  const role = createRoleCheck({ send: sendAlone }, now);
  const send = async (command: RedisCommand) => {
    try {
      const [reply] = await Promise.all([sendAlone(command), role.check()]);
      return reply;
    } catch (cause) {
      // After a failover, the name of the host leads to another server.
      if (isReadOnly(cause)) sendAlone(["QUIT"]).catch(() => {});
      throw cause;
    }
  };
  return {
    isCluster: false,
    send: (_key, command) => send(command),
    masters: async () => [{ send }],
    keepOpen: reconnection.keepOpen,
    close: () => closeOrDestroy(client),
  };
}

export async function connectToCluster(
  { createCluster }: RedisDriver,
  address: RedisAddress,
  now: () => number = () => performance.now(),
): Promise<RedisConnection> {
  const reconnection = createReconnection();
  const { RESP, ...defaults } = clientOptions(address, reconnection.pauseBefore);
  const rootNodes = address.hosts.map((host) => ({ socket: host }));
  const cluster = createCluster({ RESP, rootNodes, defaults });
  cluster.on("error", () => {});
  await withTimeout(responseTimeout, cluster.connect(), timedOut).catch((cause) => {
    cluster.destroy();
    throw cause;
  });
  const limit = createSharedTimeout(now);
  return {
    isCluster: true,
    send: (key, command) => cluster.sendCommand(key, false, [...command], limit()),
    masters: () =>
      Promise.all(cluster.masters.map(async (master) => {
        const client = await cluster.nodeClient(master);
        return { send: (command: RedisCommand) => client.sendCommand([...command]) };
      })),
    keepOpen: reconnection.keepOpen,
    close: () => closeOrDestroy(cluster),
  };
}

function clientOptions(
  { username, password, isTls }: RedisAddress,
  reconnectStrategy: (attempts: number) => number | false,
) {
  const timing = { connectTimeout: responseTimeout, socketTimeout: responseTimeout };
  return {
    RESP: 2 as const,
    ...username !== undefined && { username },
    ...password !== undefined && { password },
    // A request that finds no connection fails at once. Others would pile up behind it.
    disableOfflineQueue: true,
    disableClientInfo: true,
    pingInterval,
    socket: { ...timing, reconnectStrategy, ...isTls && { tls: true as const } },
  };
}

/**
 * Returns the limit of a command: when its caller has given up, it is no longer sent. The client's
 * own limit is a timer for each command, which runs on after the reply.
 */
function createSharedTimeout(now: () => number) {
  let signal: AbortSignal | undefined;
  let since = 0;
  return () => {
    if (!signal || now() - since >= sharedFor) {
      signal = AbortSignal.timeout(responseTimeout);
      since = now();
    }
    return { timeout: 0, abortSignal: signal };
  };
}

/** Decides about lost connections: an error while the store is opened, a pause afterwards. */
function createReconnection() {
  let isOpen = false;
  return {
    keepOpen: () => void (isOpen = true),
    pauseBefore: (attempts: number) => {
      const pause = Math.min(minReconnectPause * 2 ** Math.min(attempts, 10), maxReconnectPause);
      return isOpen && pause;
    },
  };
}

function isReadOnly(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("READONLY");
}

/** Lets commands in progress finish, within a time limit. */
async function closeOrDestroy(client: {
  close(): Promise<unknown> | void;
  destroy(): void;
}): Promise<void> {
  const closed = Promise.resolve().then(() => client.close());
  await withTimeout(responseTimeout, closed, timedOut).catch(() => client.destroy());
}

function timedOut(): Error {
  return new Error(`Redis did not respond within ${responseTimeout / 1000} seconds.`);
}
