import { describe } from "node:test";
import { postgresStore } from "../../../../src/server/store/postgres.ts";
import { redisStore } from "../../../../src/server/store/redis.ts";
import { itRunsPollPlans } from "../../../features/mtls/fapi_ciba_modules.ts";
import { postgresMissing, startPostgres } from "../../../support/postgres_server.ts";
import { redisMissing, startRedis } from "../../../support/redis_server.ts";

const engines = [
  { name: "PostgreSQL", skip: postgresMissing, start: startPostgres, open: postgresStore },
  { name: "Redis", skip: redisMissing, start: startRedis, open: redisStore },
] as const;

for (const { name, skip, start, open } of engines) {
  // Outside of the tests, which share it.
  const { url } = skip ? { url: "" } : await start();
  describe(`A plan of FAPI-CIBA with ${name}`, () => itRunsPollPlans(() => open(url), skip));
}
