import type { createClient, createCluster } from "@redis/client";
import { messagesOf } from "../../util/text/error_message.ts";

/** The part of the official client for Redis that the store uses. */
export interface RedisDriver {
  createClient: typeof createClient;
  createCluster: typeof createCluster;
}

/** Loads the official client, which is an optional package: only this store needs it. */
export async function loadRedisDriver(): Promise<RedisDriver> {
  try {
    return await import("@redis/client");
  } catch (cause) {
    throw new Error(
      "the package @redis/client cannot be loaded. Install it: npm install @redis/client " +
        `(${messagesOf(cause).split("\n", 1)[0]})`,
    );
  }
}
