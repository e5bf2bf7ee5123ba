import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { authority, cert, key } from "../support/certificate.ts";
import { inFolder } from "../support/folder.ts";
import { findFreePort } from "../support/free_port.ts";
import { postgresMissing, startPostgresWithTls } from "../support/postgres_server.ts";
import { commandFor, type Program, runProgram, startProgram } from "../support/program.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";

// Outside of the tests, which share them. They end with this process.
const tlsPort = await findFreePort();
const redis = redisMissing ? undefined : await inFolder(startRedisWithTls);
const postgres = postgresMissing ? undefined : await startPostgresWithTls(cert, key);

const databases = [
  { name: "Redis", url: `rediss://localhost:${tlsPort}`, skip: redisMissing },
  {
    name: "PostgreSQL",
    url: `postgres://owner@localhost:${postgres?.port}/postgres?sslmode=verify-full`,
    skip: postgresMissing,
  },
];

for (const { name, url, skip } of databases) {
  describe(`hallpass serve on ${name} with TLS`, () => {
    it("connects to a server whose authority it trusts", { skip }, async () => {
      await inFolder(async (folder) => {
        const trusted = join(folder, "authority.pem");
        await writeFile(trusted, authority);
        const env = { NODE_EXTRA_CA_CERTS: trusted, DENO_CERT: trusted };
        await withServer(url, env, async ({ issuer }) => {
          assertMatch(await (await fetch(`${issuer}/health`)).text(), /"ok"/);
        });
      });
    });

    it("refuses a server whose authority it does not know", { skip }, async () => {
      const { args, env } = await serveOn(url);
      const { code, output } = await runProgram(args, env);
      assertEquals(code, 2);
      assertMatch(output, /^Cannot open the store \S+: .*certificate/m);
    });
  });
}

describe("hallpass serve on Redis", () => {
  const skip = redisMissing;
  const unsafe: Array<[setting: string, value: string, warning: RegExp]> = [
    ["appendonly", "no", /^warning: Redis keeps no append-only file\./m],
    ["appendfsync", "everysec", /^warning: Redis responds before .*appendfsync everysec/m],
  ];
  for (const [setting, value, warning] of unsafe) {
    it(`warns about ${setting} ${value}`, { skip }, async () => {
      await redis?.cli("CONFIG", "SET", setting, value);
      assertMatch(await withServer(redis?.url), warning);
      await redis?.cli("CONFIG", "SET", "appendonly", "yes", "appendfsync", "always");
    });
  }

  it("has no warning about a server that loses nothing", { skip }, async () => {
    const output = await withServer(redis?.url);
    assert(!output.includes("warning: Redis"), output);
  });
});

/** Runs a server over a store, ends it, and returns what it printed. */
async function withServer(
  store = "",
  env: Record<string, string> = {},
  act: (program: Program) => Promise<void> = async () => {},
): Promise<string> {
  const server = await serveOn(store);
  const program = await startProgram(server.args, { ...server.env, ...env });
  try {
    await act(program);
  } finally {
    assertEquals(await program.stop(), 0);
  }
  return program.output();
}

async function serveOn(store: string) {
  const port = await findFreePort();
  const env = {
    HALLPASS_CONFIG_JSON: JSON.stringify({ issuer: `http://localhost:${port}` }),
    HALLPASS_SECRET: "a secret of these tests, long enough",
  };
  return { args: ["serve", "--port", `${port}`, "--store", store], env };
}

/** Starts a server with a certificate that the authority of the tests has signed. */
async function startRedisWithTls(folder: string) {
  const files = { "authority.pem": authority, "cert.pem": cert, "key.pem": key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return await startRedis(
    ...["--tls-port", `${tlsPort}`, "--tls-auth-clients", "no"],
    ...["--tls-cert-file", join(folder, "cert.pem")],
    ...["--tls-key-file", join(folder, "key.pem")],
    ...["--tls-ca-cert-file", join(folder, "authority.pem")],
  );
}

describe("hallpass serve on SQLite", () => {
  it("ends with 3 when the thread that writes ends, so that it is started again", async () => {
    await inFolder(async (folder) => {
      const { args, env } = await serveOn(`sqlite:${join(folder, "hallpass.db")}`);
      const program = await startProgram(args, env, withEndingThread());
      const ended = program.stop("SIGUSR2");
      assertEquals(await ended, 3, program.output());
      assertMatch(program.output(), /^warning: The server stops, .* has ended/m);
    });
  });

  it("says that it upgrades the tables before it does", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.db");
      const { args, env } = await serveOn(`sqlite:${path}`);
      await (await startProgram(args, env)).stop();
      const database = new DatabaseSync(path);
      database.exec("PRAGMA user_version = 2");
      database.close();
      const program = await startProgram(args, env);
      await program.stop();
      assertMatch(
        program.output(),
        /^warning: The tables of the store are from an earlier version: /m,
      );
    });
  });
});

/** Runs the program with a signal that ends the last thread it has started. */
function withEndingThread(): string[] {
  const [runtime = "", ...rest] = commandFor("src/main.ts");
  const preload = "./tests/support/ending_thread.ts";
  if ("Deno" in globalThis) return [runtime, ...rest.toSpliced(1, 0, "--preload", preload)];
  return [runtime, "Bun" in globalThis ? "--preload" : "--import", preload, ...rest];
}
