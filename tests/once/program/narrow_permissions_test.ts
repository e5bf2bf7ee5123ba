import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { labOptions } from "../../../src/program/command_line/lab_options.ts";
import { serverOptions } from "../../../src/program/command_line/options.ts";
import { cert, key } from "../../support/certificate.ts";
import { inFolder } from "../../support/folder.ts";
import { serverAt } from "../../support/http.ts";
import { firstMatch } from "../../support/present.ts";
import { runProgram, startProgram } from "../../support/program.ts";
import { testClient } from "../../support/test_client.ts";

/** The command of `deno task start`, without `lab`. */
const command = denoCommand(deno.tasks.start.command).slice(0, -1);

const labToken = "a-token-of-32-letters-and-digits";

/** Options of a lab that work with the permissions of `deno task start`, a start each. */
const working: Array<Record<string, string[]>> = [
  {
    "host": ["127.0.0.1"],
    "issuer": ["https://id.example"],
    "front-channel": ["https://login.example"],
    "back-channel": ["http://id.internal:9000"],
    "store": ["memory"],
    "profile": ["mcp"],
    "alg": ["ES256"],
    "log": ["json"],
    "log-level": ["debug"],
    "metrics-port": ["0"],
    "metrics-host": ["localhost"],
    "redirect-uri": ["http://localhost:3000/callback"],
    "lab-token": [labToken],
    "lab-port": ["0"],
    "drill-origin": ["http://localhost:3000"],
    "with-parent": [],
  },
  { "port": ["0"], "any-client": [], "any-user": [], "enterprise": [], "sign-in": ["alice"] },
  { "sign-in-by-hint": [], "workloads": [] },
  { "provider": ["google"] },
];

/** Options that need more, and the permission that Deno misses. */
const needingMore: Array<[options: (folder: string) => string[], missing: RegExp]> = [
  [() => ["--expose", "--lab-token", labToken], /Requires net access to "0\.0\.0\.0/],
  [() => ["--metrics-port", "0", "--metrics-host", "0.0.0.0"], /Requires net access/],
  [() => ["--drill-origin", "http://app.example:3000"], /another machine/],
  [() => ["--store", "redis://store.example"], /this process may not reach its host/],
  [() => ["--store", "postgres://a:b@localhost:1/c"], /Requires env access to "PG/],
  [(folder) => ["--store", `sqlite:${folder}/lab.db`], /Requires (?:read|write) access/],
  [(folder) => ["--config", `${folder}/hallpass.json`], /Requires read access/],
  [(folder) => ["--provider", `${folder}/acme.json`], /Requires read access/],
  [
    (folder) => [
      ...["--mtls-port", "9443", "--mtls-host", "::1", "--mtls-ca", `${folder}/ca.pem`],
      ...["--mtls-cert", `${folder}/cert.pem`, "--mtls-key", `${folder}/key.pem`],
    ],
    /Requires read access/,
  ],
  [
    (folder) => ["--cert", `${folder}/cert.pem`, "--key", `${folder}/key.pem`],
    /Requires read access/,
  ],
  [
    () => ["--hosts", "--provider", "github"],
    /hallpass-ca\.pem cannot be written: Requires write access/,
  ],
  [() => ["--tls"], /hallpass-ca\.pem cannot be written: Requires write access/],
];

/** Returns a documented command as this machine runs it. */
function denoCommand(line: string): string[] {
  const [, run = "", ...words] = line.split(/[\s\\]+/);
  return [process.execPath, run, "--no-check", ...words];
}

function argumentsOf(options: Record<string, string[]>): string[] {
  return Object.entries(options).flatMap(([name, values]) => [`--${name}`, ...values]);
}

describe("deno task start", () => {
  it("S18: is tried here with each option of a lab", () => {
    const refused = needingMore.flatMap(([options]) => options("")).filter((word) =>
      word.startsWith("--")
    );
    const tried = new Set([
      ...working.flatMap(Object.keys),
      ...refused.map((word) => word.slice("--".length)),
    ]);
    const documented = [...serverOptions, ...labOptions].map(({ name }) => name);
    assertEquals([...tried].sort(), [...documented].sort());
  });

  it("S18: runs a flow with permissions for this machine alone", async () => {
    const lab = await startProgram(["lab", "--port", "0"], {}, command);
    try {
      const server = serverAt(lab.issuer);
      const { status } = await testClient().redeem(server, await testClient().code(server));
      assertEquals(status, 200);
      assertMatch(await (await fetch(lab.issuer)).text(), /Start a flow/);
    } finally {
      await lab.stop();
    }
  });

  for (const options of working) {
    it(`S18: needs no more for --${Object.keys(options).join(", --")}`, async () => {
      const args = argumentsOf({ port: ["0"], ...options });
      const lab = await startProgram(["lab", ...args], {}, command);
      assertEquals(await lab.stop(), 0);
    });
  }

  for (const [options, missing] of needingMore) {
    it(`S18: names the task that has more for ${options("FOLDER").join(" ")}`, async () => {
      await inFolder(async (folder) => {
        const args = ["lab", "--port", "0", ...options(folder)];
        const { code, output } = await runProgram(args, {}, "", command);
        assertEquals(code === 1 || code === 2, true, output);
        assertMatch(output, missing);
        assertMatch(
          output,
          /the task that has this permission: (?:npx -y )?deno task hallpass lab /,
        );
      });
    });
  }

  it("S18: says why a document on another machine cannot be fetched", async () => {
    const lab = await startProgram(["lab", "--port", "0"], {}, command);
    try {
      const client = encodeURIComponent("https://app.example/client.json");
      const query = `client_id=${client}&response_type=code&redirect_uri=https://app.example/`;
      const page = await (await fetch(`${lab.issuer}/oauth2/authorize?${query}`)).text();
      assertMatch(page, /no permission for the host &#39;app\.example&#39;|--allow-net/);
    } finally {
      await lab.stop();
    }
  });
});

describe("The narrow permissions of serve on SQLite, in RUNNING.md", () => {
  it("S18: are enough", async () => {
    const page = await readFile(".github/RUNNING.md", "utf8");
    const line = firstMatch(page, /^(deno run [^`]*? serve --config \S+ --store sqlite:\S+)$/m);
    await inFolder(async (folder) => {
      for (const name of ["config", "data"]) await mkdir(join(folder, name));
      const at = (name: string) => join(folder, "config", name);
      const config = { port: 0, alg: "EdDSA", cert: at("cert.pem"), key: at("key.pem") };
      await writeFile(at("hallpass.json"), JSON.stringify(config));
      await writeFile(config.cert, cert);
      await writeFile(config.key, key);
      const words = denoCommand(line).map((word) =>
        word.replace(/((?:^|[=,:])(?=config|data))/g, `$1${folder}/`)
          .replace(/^src\//, `${resolve("src")}/`)
      );
      const server = await startProgram([], {}, words);
      assertEquals(await server.stop(), 0);
    });
  });
});
