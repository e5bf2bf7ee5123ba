import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { type Browser, createBrowser } from "../../support/browser.ts";
import { authority, cert, key } from "../../support/certificate.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { challenge, verifier } from "../../support/kit.ts";
import { compileProgram } from "../../support/package.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";
import { type Program, startProgram } from "../../support/program.ts";

/** The chapter of the README that an operator follows, by its headings. */
const chapter = sectionsOf(await readFile("README.md", "utf8"));

const skip = ["nginx", "openssl", "curl"].map(whyMissing).find(Boolean);

const engines = [
  {
    name: "SQLite",
    skip,
    open: async (folder: string) => {
      const file = join(folder, "data/hallpass.db");
      await mkdir(join(folder, "data"));
      return {
        store: `sqlite:${file}`,
        lose: async () => {
          for (const suffix of ["", "-wal", "-shm"]) await rm(file + suffix, { force: true });
        },
      };
    },
  },
  {
    name: "PostgreSQL",
    skip: skip ?? whyMissing("pg_dump") ?? (postgresMissing || undefined),
    open: async () => {
      const { url, sql } = await startPostgres();
      const tables = "SELECT tablename FROM pg_tables WHERE tablename LIKE 'hallpass%'";
      return {
        store: url,
        lose: async () => {
          for (const { tablename } of await sql(tables)) await sql(`DROP TABLE ${tablename}`);
        },
      };
    },
  },
];

describe("The chapter 'Run it for real'", () => {
  it("has these lines for root alone", () => {
    const lines = Object.values(chapter).flat().filter((line) => line.endsWith("# root"));
    assertEquals(lines.map((line) => line.replace(/\s+# root$/, "")), [
      "npx -y deno task compile",
      "install dist/hallpass /usr/local/bin/",
      "useradd --system --home-dir /var/lib/hallpass hallpass",
      "install --owner hallpass --directory /etc/hallpass /var/lib/hallpass /var/backups/hallpass",
      "ln -s /etc/hallpass/hallpass.service /etc/systemd/system/",
      "ln -s /etc/hallpass/nginx.conf /etc/nginx/conf.d/hallpass.conf",
      "systemctl enable --now hallpass",
      "systemctl reload nginx",
      "systemctl restart hallpass",
    ]);
  });

  for (const { name, skip, open } of engines) {
    it(`makes a day in which the clients notice nothing, on ${name}`, { skip }, async () => {
      await inFolder(async (folder) => {
        const { store, lose } = await open(folder);
        await liveThroughTheDay(await openMachine(folder, store, name), lose);
      });
    });
  }
});

/** Follows the chapter with a client that uses the server all the time. */
async function liveThroughTheDay(machine: Machine, lose: () => Promise<void>): Promise<void> {
  try {
    const [{ secret }] = jsonIn(await machine.run("Install and configure"));
    await machine.start();
    await machine.run("Start it behind TLS", { before: /^hallpass health/ });
    await machine.startProxy();
    await machine.run("Start it behind TLS", { from: /^hallpass health/ });

    const client = await connectClient(machine, secret);
    await client.work();
    for (const line of chapter["Day by day"] ?? []) {
      const output = await machine.runLines([line]);
      if (line.includes("--add")) client.secret = present(/[\w-]{43}/.exec(output)?.[0]);
      if (line.includes("disable")) await client.isRefused();
      else if (line.includes("user enable")) await client.signInAgain();
      else await client.work();
    }

    await machine.run("Back up, and come back", { before: /restore/ });
    await machine.stop();
    await lose();
    await machine.run("Back up, and come back", { from: /restore/ });
    await machine.start();
    await client.work();

    await machine.run("Upgrade", { before: /^hallpass health/ });
    await machine.stop();
    await machine.start();
    await machine.run("Upgrade", { from: /^hallpass health/ });
    await client.work();
  } finally {
    await machine.end();
  }
}

/** Where the chapter is followed. */
interface Machine {
  issuer: string;
  /** Runs the lines of a section that are not for root, and returns what they print. */
  run(section: string, part?: { from?: RegExp; before?: RegExp }): Promise<string>;
  runLines(lines: readonly string[]): Promise<string>;
  /** Starts the server as its unit does. */
  start(): Promise<void>;
  stop(): Promise<void>;
  startProxy(): Promise<void>;
  end(): Promise<void>;
}

async function openMachine(folder: string, store: string, engine: string): Promise<Machine> {
  const [port, metricsPort, tlsPort, httpPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const etc = join(folder, "etc");
  const bin = join(folder, "bin");
  for (const path of [etc, bin, join(folder, "backups")]) await mkdir(path);
  await cp(await compileProgram(), join(bin, "hallpass"));
  await chmod(join(bin, "hallpass"), 0o755);
  await writeFile(join(etc, "fullchain.pem"), cert);
  await writeFile(join(etc, "privkey.pem"), key);
  await writeFile(join(etc, "authority.pem"), authority);
  const issuer = `https://localhost:${tlsPort}`;
  const setUp = [
    `ISSUER=${issuer} ETC=${etc} STORE='${store}' BACKUPS=${join(folder, "backups")}`,
    `PORT=${port} METRICS_PORT=${metricsPort}`,
    `export PATH=${bin}:$PATH NODE_EXTRA_CA_CERTS=${join(etc, "authority.pem")}`,
    "set -e",
    `if [ -e $ETC/hallpass.env ]; then set -a; . $ETC/hallpass.env; set +a; fi`,
  ];
  let program: Program | undefined;
  let proxy: ChildProcess | undefined;

  async function runLines(lines: readonly string[]): Promise<string> {
    const command = ["bash", "-c", [...setUp, ...lines].join("\n")];
    const { code, output } = await runCommand(command, { timeout: 120_000, cwd: folder });
    assertEquals(code, 0, `${lines.join("\n")}\n${output}`);
    return output;
  }

  return {
    issuer,
    runLines,
    run(section, { from = /^/, before = /^(?!)/ } = {}) {
      const lines = present(chapter[section]);
      const first = lines.findIndex((line) => from.test(line));
      const rest = lines.slice(first);
      const end = rest.findIndex((line) => before.test(line));
      return runLines(
        rest.slice(0, end < 0 ? undefined : end).filter((line) => isFor(line, engine)),
      );
    },
    async start() {
      const unit = await runLines(["hallpass doctor --print systemd"]);
      const [, args = ""] = /^ExecStart=\/usr\/local\/bin\/hallpass (.*)$/m.exec(unit) ?? [];
      const text = await readFile(join(etc, "hallpass.env"), "utf8");
      const env = Object.fromEntries(
        text.trim().split("\n").map((line) => [
          line.slice(0, line.indexOf("=")),
          line.slice(line.indexOf("=") + 1),
        ]),
      );
      program = await startProgram(args.split(" "), env, [join(bin, "hallpass")]);
    },
    async stop() {
      assertEquals(await program?.stop(), 0);
      program = undefined;
    },
    async startProxy() {
      const server = (await readFile(join(etc, "nginx.conf"), "utf8"))
        .replaceAll("/etc/ssl/hallpass", etc)
        .replace("listen 80;", `listen ${httpPort};`)
        // Not every machine has IPv6.
        .replace(/^ *listen \[::\].*$/gm, "");
      const path = join(etc, "test.conf");
      const preamble = `daemon off; pid ${etc}/nginx.pid; error_log stderr;`;
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${etc}/${name};`).join(" ");
      await writeFile(
        path,
        `${preamble} events {} http { access_log off; ${temporary}\n${server}\n}`,
      );
      proxy = spawn("nginx", ["-e", "stderr", "-p", etc, "-c", path], { stdio: "ignore" });
      while (!await reaches(issuer)) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async end() {
      await program?.stop();
      if (proxy === undefined) return;
      const ended = new Promise((resolve) => proxy?.once("exit", resolve));
      proxy.kill("SIGTERM");
      await ended;
    },
  };
}

/** Whether a line is for a user, and for this engine. */
function isFor(line: string, engine: string): boolean {
  const [, mark = engine] = /# (root|SQLite|PostgreSQL)$/.exec(line) ?? [];
  return mark === engine;
}

const web = Deno.createHttpClient({ caCerts: [authority] });

async function send(request: Request): Promise<Response> {
  return await fetch(request, { client: web, redirect: "manual" });
}

async function reaches(issuer: string): Promise<boolean> {
  return await send(new Request(`${issuer}/health`)).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

/** An application in which a user is signed in. */
interface Application {
  secret: string;
  /** Does what an application does all day: everything must succeed. */
  work(): Promise<void>;
  /** The user was disabled: nothing succeeds. */
  isRefused(): Promise<void>;
  signInAgain(): Promise<void>;
}

async function connectClient({ issuer }: Machine, secret: string): Promise<Application> {
  const browser = createBrowser(send, (url) => !url.startsWith(issuer));
  const application = { secret, work, isRefused, signInAgain };
  let tokens = await signIn();

  async function requestTokens(fields: Record<string, string>) {
    const body = new URLSearchParams(fields);
    const credentials = btoa(`wiki:${encodeURIComponent(application.secret)}`);
    const headers = { Authorization: `Basic ${credentials}` };
    const url = `${issuer}/oauth2/token`;
    const response = await send(new Request(url, { method: "POST", body, headers }));
    return { status: response.status, body: await response.json() };
  }

  async function signIn() {
    const code = await codeFrom(browser, issuer);
    const { status, body } = await requestTokens({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri,
    });
    assertEquals(status, 200, JSON.stringify(body));
    return body;
  }

  async function userinfoStatus(): Promise<number> {
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const response = await send(new Request(`${issuer}/oauth2/userinfo`, { headers }));
    await response.body?.cancel();
    return response.status;
  }

  function refresh() {
    const { refresh_token } = tokens;
    return requestTokens({ grant_type: "refresh_token", refresh_token });
  }

  async function work() {
    assertEquals(await userinfoStatus(), 200);
    const { status, body } = await refresh();
    assertEquals(status, 200, JSON.stringify(body));
    tokens = body;
    assertEquals(await userinfoStatus(), 200);
    // The session of the user goes on: no page asks for a password or for consent.
    assert((await browser.open(authorizationUrl(issuer))).url.startsWith(redirect_uri));
  }

  async function isRefused() {
    assertEquals([await userinfoStatus(), (await refresh()).body.error], [401, "invalid_grant"]);
  }

  async function signInAgain() {
    tokens = await signIn();
    await work();
  }

  return application;
}

const redirect_uri = "https://wiki.example.org/callback";

function authorizationUrl(issuer: string): string {
  const parameters = new URLSearchParams({
    client_id: "wiki",
    response_type: "code",
    scope: "openid profile offline_access",
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  return `${issuer}/oauth2/authorize?${parameters}`;
}

async function codeFrom(browser: Browser, issuer: string): Promise<string> {
  const callback = await browser.authorize(authorizationUrl(issuer), {
    user: "ada",
    password: "correct horse battery staple",
  });
  return present(new URL(callback).searchParams.get("code"));
}

/** Returns the JSON in what commands printed. */
// deno-lint-ignore no-explicit-any
function jsonIn(output: string): any[] {
  return [...output.matchAll(/^\{$[\s\S]*?^\}$/gm)].map(([text]) => JSON.parse(text));
}

/** Returns the shell lines of each section of the chapter. A here document is one line. */
function sectionsOf(readme: string): Record<string, string[]> {
  const [, text = ""] = /^## Run it for real\n([\s\S]*?)^## /m.exec(readme) ?? [];
  const sections = text.split(/^### /m).slice(1).map((section) => {
    const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) =>
      lines
    );
    const commands = blocks.join("").match(/^.*<<END\n[\s\S]*?^END$|^.+$/gm) ?? [];
    return [section.split("\n", 1)[0], [...commands]];
  });
  return Object.fromEntries(sections);
}

function whyMissing(program: string): string | undefined {
  const { error } = spawnSync(program, ["--version"]);
  return error ? `${program} is missing` : undefined;
}
