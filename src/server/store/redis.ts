/**
 * A store in Redis or Valkey, for many servers at once. It needs the package `@redis/client`.
 *
 * @example
 * ```ts ignore
 * import { createServer } from "@hallpass/hallpass";
 * import { redisStore } from "@hallpass/hallpass/redis";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   store: await redisStore("redis://:password@localhost:6379"),
 * });
 * ```
 *
 * @module
 */

import { parseRedisUrl, type RedisAddress } from "./redis/address.ts";
import {
  checkEviction,
  checkFormat,
  checkPrivileges,
  durabilityWarnings,
  failoverWarnings,
} from "./redis/check_server.ts";
import type { RedisConnection } from "./redis/connection.ts";
import { loadRedisDriver } from "./redis/driver.ts";
import { isUnavailable, openConnection, openFailure } from "./redis/open_connection.ts";
import { createKeyNames } from "./redis/row_keys.ts";
import { createRowStore, withDeadline } from "./redis/row_store.ts";
import { createScripts } from "./redis/scripts.ts";
import { roleWarnings } from "./redis/server_role.ts";
import type { Store } from "./store.ts";
import { StoreUnavailableError } from "./store_errors.ts";

/** Settings of a store in Redis. */
export interface RedisStoreOptions {
  /**
   * Lets Redis delete each row a week after it has expired, in case no server runs that sweeps.
   * Leave it off if the server's clock is not the real one, as in a test.
   */
  engineExpiry?: boolean | undefined;
}

/**
 * Connects to Redis, Valkey or a Cluster of either, and returns a store there. Rejects if the
 * server could lose rows or refuses to write.
 *
 * The URL is `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss:` with TLS. Commas separate
 * the nodes of a Cluster; one is enough. `?prefix=NAME` changes the first part of all keys, which
 * is `hallpass`.
 */
export async function redisStore(
  url: string,
  { engineExpiry = false }: RedisStoreOptions = {},
): Promise<Store> {
  const address = parseRedisUrl(url);
  try {
    const connection = await openConnection(await loadRedisDriver(), address);
    try {
      return await openStoreOn(connection, address, engineExpiry);
    } catch (cause) {
      await connection.close();
      throw cause;
    }
  } catch (cause) {
    const Failure = isUnavailable(cause) ? StoreUnavailableError : Error;
    throw new Failure(`Cannot open the store ${address.displayName}: ${openFailure(cause)}.`, {
      cause,
    });
  }
}

async function openStoreOn(
  connection: RedisConnection,
  { displayName, prefix }: RedisAddress,
  engineExpiry: boolean,
): Promise<Store> {
  const keys = createKeyNames(prefix);
  const scripts = await createScripts();
  const nodes = await connection.masters();
  await checkEviction(nodes);
  await checkPrivileges(connection, scripts, keys.format);
  const warnings = [
    ...await durabilityWarnings(nodes),
    ...await failoverWarnings(nodes),
    ...connection.isCluster ? [] : await roleWarnings(nodes),
  ];
  await checkFormat(connection, keys.format);
  connection.keepOpen();
  const store = createRowStore({ connection, keys, scripts, engineExpiry });
  return Object.assign(withDeadline(store), { name: displayName, warnings });
}
