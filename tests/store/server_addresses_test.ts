import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  isPostgresUrl,
  parsePostgresUrl,
  type PostgresAddress,
  postgresUrlProblem,
} from "../../src/server/store/postgres/address.ts";
import {
  isRedisUrl,
  parseRedisUrl,
  type RedisAddress,
  redisUrlProblem,
} from "../../src/server/store/redis/address.ts";

const postgresForm = /^A PostgreSQL store is postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE; .*\.$/;
const redisForm = /^A Redis store is redis:\/\/HOST:PORT, or rediss:\/\/HOST:PORT with TLS; .*\.$/;

const plainPostgres: PostgresAddress = {
  hosts: [{ host: "db.example", port: 5432 }],
  username: "app",
  password: "",
  database: "app",
  schema: undefined,
  sslMode: "prefer",
  connections: 10,
  isPrepared: true,
  displayName: "postgres://db.example/app",
};

const plainRedis: RedisAddress = {
  hosts: [{ host: "redis.example", port: 6379 }],
  isTls: false,
  username: undefined,
  password: undefined,
  database: 0,
  prefix: "hallpass",
  displayName: "redis://redis.example",
};

describe("The URL of a PostgreSQL store", () => {
  const read: Array<[url: string, members: Partial<PostgresAddress>]> = [
    ["postgres://app@db.example", {}],
    ["postgresql://app@db.example", { displayName: "postgresql://db.example/app" }],
    ["postgres://app:a%40b%3Ac@db.example/app", { password: "a@b:c" }],
    ["postgres://a%20b@db.example", {
      username: "a b",
      database: "a b",
      displayName: "postgres://db.example/a b",
    }],
    ["postgres://app:x@db.example:80/other", {
      hosts: [{ host: "db.example", port: 80 }],
      password: "x",
      database: "other",
      displayName: "postgres://db.example:80/other",
    }],
    ["postgres://app@[::1]:6000,db.example", {
      hosts: [{ host: "::1", port: 6000 }, { host: "db.example", port: 5432 }],
      displayName: "postgres://[::1]:6000,db.example/app",
    }],
    ["postgres://app@db.example?sslmode=verify-full", { sslMode: "verify-full" }],
    ["postgres://app@db.example?sslmode=disable&connections=999", {
      sslMode: "disable",
      connections: 999,
    }],
    ["postgres://app@db.example?prepare=false", { isPrepared: false }],
    ["postgres://app@db.example?prepare=true", { isPrepared: true }],
    ["postgres://app@db.example?schema=auth_2", {
      schema: "auth_2",
      displayName: "postgres://db.example/app?schema=auth_2",
    }],
  ];
  for (const [url, members] of read) {
    it(`is read: ${url}`, () => {
      assertEquals(parsePostgresUrl(url), { ...plainPostgres, ...members });
      assertEquals(postgresUrlProblem(url), undefined);
    });
  }

  const refused: Array<[url: string, problem: RegExp]> = [
    ["postgres:", postgresForm],
    ["postgres://app@", postgresForm],
    ["postgres://db.example/app", postgresForm],
    ["postgres://:secret@db.example/app", postgresForm],
    ["mysql://app:secret@db.example/app", postgresForm],
    ["postgres://app:secret@db.example/app/more", postgresForm],
    ["postgres://app:secret@db.example/app#part", postgresForm],
    ["postgres://app:secret@db.example,,other", /^A host or a port is invalid\. A PostgreSQL/],
    ["postgres://app:secret@db.example:99999", /^A host or a port is invalid\./],
    ["postgres://app:secret%zz@db.example", /is not percent-encoded\.$/],
    ["postgres://app:secret@db.example?sslmode=allow", /^The parameter sslmode is disable, prefer/],
    ["postgres://app:secret@db.example?schema=Auth", /^The parameter schema is a name of small/],
    ["postgres://app:secret@db.example?connections=0", /^The parameter connections is a number/],
    ["postgres://app:secret@db.example?connections=1000", /^The parameter connections is a number/],
    ["postgres://app:secret@db.example?prepare=no", /^The parameter prepare is true or false\.$/],
    ["postgres://app:secret@db.example?toString=x", /this one is toString\.$/],
    ["postgres://app:secret@db.example?schema=a&sslkey=x", /this one is sslkey\.$/],
  ];
  for (const [url, problem] of refused) {
    it(`is refused without quoting it: ${url}`, () => {
      assertRefused(postgresUrlProblem(url), problem);
      assertThrows(() => parsePostgresUrl(url), Error, "Cannot open the PostgreSQL store: ");
    });
  }

  it("begins with its scheme", () => {
    assertEquals(["postgres:x", "postgresql:x"].map(isPostgresUrl), [true, true]);
    assertEquals(["postgresqls:x", "x-postgres:x", "redis:x"].some(isPostgresUrl), false);
  });
});

describe("The URL of a Redis store", () => {
  const read: Array<[url: string, members: Partial<RedisAddress>]> = [
    ["redis://redis.example", {}],
    ["rediss://redis.example", { isTls: true, displayName: "rediss://redis.example" }],
    ["redis://:secret@redis.example", { password: "secret" }],
    ["redis://app:a%2Fb@redis.example", { username: "app", password: "a/b" }],
    ["redis://redis.example/02", { database: 2, displayName: "redis://redis.example/2" }],
    ["redis://a:7000,b", {
      hosts: [{ host: "a", port: 7000 }, { host: "b", port: 6379 }],
      displayName: "redis://a:7000,b",
    }],
    ["redis://redis.example?prefix=login:1", {
      prefix: "login:1",
      displayName: "redis://redis.example?prefix=login:1",
    }],
  ];
  for (const [url, members] of read) {
    it(`is read: ${url}`, () => {
      assertEquals(parseRedisUrl(url), { ...plainRedis, ...members });
      assertEquals(redisUrlProblem(url), undefined);
    });
  }

  const refused: Array<[url: string, problem: RegExp]> = [
    ["redis:", redisForm],
    ["http://:secret@redis.example", redisForm],
    ["redis://:secret@redis.example/first", redisForm],
    ["redis://:secret@redis.example:port", /^A host or a port is invalid\. A Redis store/],
    ["redis://:secret@redis.example?db=1", /has one parameter, prefix; this one is db\.$/],
    ["redis://:secret@redis.example?prefix=a{b}", /^The prefix may contain letters, digits/],
    ["redis://:secret@redis.example?prefix=", /^The prefix may contain letters, digits/],
  ];
  for (const [url, problem] of refused) {
    it(`is refused without quoting it: ${url}`, () => {
      assertRefused(redisUrlProblem(url), problem);
      assertThrows(() => parseRedisUrl(url), Error, "Cannot open the Redis store: ");
    });
  }

  it("begins with its scheme", () => {
    assertEquals(["redis:x", "rediss:x"].map(isRedisUrl), [true, true]);
    assertEquals(["redisss:x", "x-redis:x", "postgres:x"].some(isRedisUrl), false);
  });
});

function assertRefused(problem: string | undefined, expected: RegExp): void {
  assert(problem !== undefined && expected.test(problem), problem);
  assert(!problem.includes("secret"), problem);
}
