import { isPostgresUrl, postgresUrlProblem } from "./postgres/address.ts";
import { isRedisUrl, redisUrlProblem } from "./redis/address.ts";

/** The database that the URL of a store is meant for, and why the URL is invalid, if it is. */
export interface DatabaseUrl {
  database: "postgres" | "redis";
  problem: string | undefined;
}

/** Reads the URL of a store; returns undefined for a text that is meant for no database. */
export function readDatabaseUrl(url: string): DatabaseUrl | undefined {
  if (isPostgresUrl(url)) return { database: "postgres", problem: postgresUrlProblem(url) };
  if (isRedisUrl(url)) return { database: "redis", problem: redisUrlProblem(url) };
  return undefined;
}
