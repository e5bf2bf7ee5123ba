import { postgresStore } from "../../../../src/server/store/postgres.ts";
import { redisStore } from "../../../../src/server/store/redis.ts";
import { itSignsInOnMany } from "../../../features/passkeys/many_servers.ts";
import { postgresMissing, startPostgres } from "../../../support/postgres_server.ts";
import { redisMissing, startRedis } from "../../../support/redis_server.ts";

const engines = [
  { name: "PostgreSQL", skip: postgresMissing, start: startPostgres, open: postgresStore },
  { name: "Redis", skip: redisMissing, start: startRedis, open: redisStore },
] as const;

for (const { name, skip, start, open } of engines) {
  // Outside of the tests, which share it.
  const { url } = skip ? { url: "" } : await start();
  itSignsInOnMany(name, () => open(url), skip);
}
