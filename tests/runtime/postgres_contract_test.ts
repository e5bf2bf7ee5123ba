import { describe, it } from "node:test";
import { storeContract } from "../../src/lab/testing/mod.ts";
import type { Store } from "../../src/server/mod.ts";
import { postgresStore } from "../../src/server/store/postgres.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { present } from "../support/present.ts";

const skip = postgresMissing;

// Outside of the tests, which share it. It ends with this process.
const server = skip ? undefined : await startPostgres("fsync=off");

let count = 0;

async function openEmpty(): Promise<Store> {
  const { url, sql } = present(server);
  const schema = `contract_${count++}`;
  await sql(`CREATE SCHEMA ${schema}`);
  return await postgresStore(`${url}?schema=${schema}`);
}

describe("The PostgreSQL store", () => {
  for (const { name, check } of storeContract(openEmpty)) it(name, { skip }, check);
});
