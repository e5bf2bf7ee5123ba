import { isPostgresUrl, postgresUrlProblem } from "./postgres/address.ts";
import { isRedisUrl, redisUrlProblem } from "./redis/address.ts";

/** Reads the URL of a store; returns undefined for a text that is meant for no database. */
export function readDatabaseUrl(url: string): {
  database: "postgres" | "redis";
  problem: string | undefined;
} | undefined {
  if (isPostgresUrl(url)) return { database: "postgres", problem: postgresUrlProblem(url) };
  if (isRedisUrl(url)) return { database: "redis", problem: redisUrlProblem(url) };
  return undefined;
}
