import type postgres from "postgres";
import { messagesOf } from "../../util/text/error_message.ts";

export type Sql = postgres.Sql;

/** The settings of the client that the store uses. Its types omit some. */
export interface PostgresOptions
  extends Omit<postgres.Options<Record<never, postgres.PostgresType>>, "host" | "port"> {
  /** In a list, because an IPv6 address is misread otherwise. */
  host: string[];
  port: number[];
  /** How many statements a connection may send while it waits for the result of another one. */
  max_pipeline?: number;
}

/** The client for PostgreSQL that the store uses: Postgres.js. */
export type PostgresDriver = (options: PostgresOptions) => Sql;

/** Loads the client, which is an optional package: only this store needs it. */
export async function loadPostgresDriver(): Promise<PostgresDriver> {
  try {
    // In CommonJS, as in our npm package, the module itself is the client.
    const module: { default?: unknown } = await import("postgres");
    return (module.default ?? module) as PostgresDriver;
  } catch (cause) {
    throw new Error(
      "the package postgres cannot be loaded. Install it: npm install postgres " +
        `(${messagesOf(cause).split("\n", 1)[0]})`,
    );
  }
}
