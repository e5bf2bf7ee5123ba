import type postgres from "postgres";
import { messagesOf } from "../../util/error_message.ts";

/** Runs SQL. Statements that do not wait for each other are sent together. */
export type Sql = postgres.Sql;

/** The settings of the client that the store uses. */
export interface PostgresOptions
  extends Omit<postgres.Options<Record<never, postgres.PostgresType>>, "host" | "port"> {
  host: string[];
  port: number[];
}

/** The client for PostgreSQL that the store uses: Postgres.js. */
export type PostgresDriver = (options: PostgresOptions) => Sql;

/** Loads the client, which is an optional package: only this store needs it. */
export async function loadPostgresDriver(): Promise<PostgresDriver> {
  try {
    // In CommonJS, as in our npm package, the module itself is the client. Its types omit the lists
    // of hosts and ports, without which an IPv6 address is misread.
    const module: { default?: unknown } = await import("postgres");
    return (module.default ?? module) as PostgresDriver;
  } catch (cause) {
    throw new Error(
      "the package postgres cannot be loaded. Install it: npm install postgres " +
        `(${messagesOf(cause).split("\n", 1)[0]})`,
    );
  }
}
