import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { extname, join, resolve } from "node:path";
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

/** The lines of RUNNING.md that an operator follows, by their headings. */
const chapter = linesBySection(await readFile(".github/RUNNING.md", "utf8"));

/** The lines that change a whole machine, in their order. */
const linesForRoot = [
  "apt-get update && apt-get install --yes git npm nginx openssl curl certbot python3-certbot-nginx jq sqlite3",
  "npx -y deno task compile",
  "install dist/hallpass /usr/local/bin/",
  "useradd --system --home-dir /var/lib/hallpass hallpass",
  "install --owner hallpass --mode 700 --directory /var/lib/hallpass /var/backups/hallpass",
  "install --group hallpass --mode 2750 --directory /etc/hallpass",
  "apt-get install --yes postgresql",
  "runuser -u postgres -- createuser --pwprompt hallpass",
  "runuser -u postgres -- createdb --owner hallpass hallpass",
  'read -rsp "The same password: " PGPASSWORD; export PGPASSWORD',
  'certbot certonly --nginx --domain ${ISSUER#https://} --deploy-hook "systemctl reload nginx"',
  "ln -s /etc/letsencrypt/live/${ISSUER#https://} /etc/ssl/hallpass",
  "systemctl enable --now hallpass",
  "systemctl reload nginx",
  "systemctl restart hallpass",
  "certbot certonly --nginx --expand --domain ${ISSUER#https://} --domain mtls.${ISSUER#https://}",
  "systemctl reload nginx",
  "systemctl enable --now hallpass-backup.timer",
  "systemctl start hallpass-backup",
  "chgrp -R hallpass /etc/hallpass && chown -R hallpass /var/backups/hallpass",
  "systemctl start hallpass-backup",
  "git pull",
  "npx -y deno task compile",
  "install dist/hallpass /usr/local/bin/",
  "systemctl restart hallpass",
];

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
        password: "",
        variables: "",
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
      const { port, sql } = await startPostgres();
      await sql("CREATE ROLE guest LOGIN PASSWORD 'correct-horse'");
      await sql("GRANT CREATE ON SCHEMA public TO guest");
      const tables = "SELECT tablename FROM pg_tables WHERE tablename LIKE 'hallpass%'";
      return {
        // Parameters that a shell would take apart without quotes.
        store: `postgres://guest@127.0.0.1:${port}/postgres?sslmode=disable&connections=5`,
        password: "correct-horse",
        variables: `PGHOST=127.0.0.1 PGPORT=${port} PGUSER=guest PGDATABASE=postgres`,
        lose: async () => {
          for (const { tablename } of await sql(tables)) await sql(`DROP TABLE ${tablename}`);
        },
      };
    },
  },
];

describe("Running it", () => {
  it("has each line that only a whole machine can run", () => {
    const lines = Object.values(chapter).flat().filter((line) => linesForRoot.includes(line));
    assertEquals(lines, linesForRoot);
  });

  for (const { name, skip, open } of engines) {
    it(`makes a day in which the clients notice nothing, on ${name}`, { skip }, async () => {
      await inFolder(async (folder) => {
        const { lose, ...database } = await open(folder);
        await liveThroughTheDay(await openMachine(folder, name, database), lose);
      });
    });
  }
});

/** Follows the chapter with a client that uses the server all the time. */
async function liveThroughTheDay(machine: Machine, lose: () => Promise<void>): Promise<void> {
  try {
    const [{ secret }] = jsonIn(await machine.run("Install and configure"));
    const written = await machine.readEnv();
    await machine.run("Install and configure", { from: /<<END/, before: /^hallpass/ });
    assertEquals(await machine.readEnv(), written, "the secret is kept");
    await machine.run("Start it behind TLS", { before: /^hallpass health/ });
    await machine.start();
    await machine.startProxy();
    await machine.run("Start it behind TLS", { from: /^hallpass health/ });

    const client = await connectClient(machine, secret);
    await client.work();
    await machine.run("Certificates of clients");
    const days = ["Keys and the secret", "Users and clients", "Observe"];
    for (const line of days.flatMap((section) => present(chapter[section]))) {
      const output = await machine.runLines([line]);
      if (line.includes("secret grafana --add")) {
        client.secret = present(/[\w-]{43}/.exec(output)?.[0]);
      }
      if (line.includes("disable")) await client.isRefused();
      else if (line.includes("user enable")) await client.signInAgain();
      else await client.work();
    }

    await machine.run("Back up and restore", { before: /restore/ });
    await machine.makeBackups();
    await machine.stop();
    await lose();
    await machine.run("Back up and restore", { from: /restore/ });
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
  /** Makes a backup in each of two nights, as their unit does. */
  makeBackups(): Promise<void>;
  /** Returns the variables that the units give to their programs. */
  readEnv(): Promise<Record<string, string>>;
  end(): Promise<void>;
}

/** What the operator chose, and typed when `createuser` asked. */
interface Database {
  store: string;
  password: string;
  /** What pg_dump has to know, which the operator writes into the unit of the backup. */
  variables: string;
}

async function openMachine(
  folder: string,
  engine: string,
  { store, password, variables }: Database,
): Promise<Machine> {
  const [port, metricsPort, tlsPort, httpPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const [etc, bin, backups] = ["etc", "bin", "backups"].map((name) => join(folder, name));
  const places: Record<string, string> = {
    "/etc/hallpass": present(etc),
    "/etc/systemd/system": present(etc),
    "/etc/nginx/conf.d": present(etc),
    "/var/log/nginx": present(etc),
    "/etc/ssl/hallpass": present(etc),
    "/usr/local/bin": present(bin),
    "/var/backups/hallpass": present(backups),
  };
  for (const path of new Set(Object.values(places))) await mkdir(path);
  /** Moves what is installed on a real machine into the folder. */
  const moved = (text: string) =>
    Object.entries(places).reduce((moved, [from, to]) => moved.replaceAll(from, to), text);
  const at = (path: string) => moved(path);
  // The folder is that of the clone, too.
  await symlink(resolve("scripts"), join(folder, "scripts"));
  await cp(await compileProgram(), at("/usr/local/bin/hallpass"));
  await chmod(at("/usr/local/bin/hallpass"), 0o755);
  await writeFile(at("/etc/ssl/hallpass/fullchain.pem"), cert);
  await writeFile(at("/etc/ssl/hallpass/privkey.pem"), key);
  for (const path of [join(folder, "authority.pem"), at("/etc/hallpass/authorities.pem")]) {
    await writeFile(path, authority);
  }
  const issuer = `https://localhost:${tlsPort}`;
  const setUp = [
    ...present(chapter["Install and start"]),
    `ISSUER=${issuer} STORE='${store}' PORT=${port} METRICS_PORT=${metricsPort}`,
    `export PGPASSWORD='${password}' NODE_EXTRA_CA_CERTS=${join(folder, "authority.pem")}`,
    // The user of the test is everyone.
    'runuser() { shift 3; "$@"; }',
    "set -e",
  ];
  let program: Program | undefined;
  let proxy: ChildProcess | undefined;

  async function runLines(lines: readonly string[]): Promise<string> {
    const command = ["bash", "-c", moved([...setUp, ...lines].join("\n"))];
    const { code, output } = await runCommand(command, { timeout: 120_000, cwd: folder });
    assertEquals(code, 0, `${lines.join("\n")}\n${output}`);
    return output;
  }

  async function readEnv(): Promise<Record<string, string>> {
    const text = await readFile(at("/etc/hallpass/hallpass.env"), "utf8");
    return Object.fromEntries(
      text.trim().split("\n").map((line) => [
        line.slice(0, line.indexOf("=")),
        line.slice(line.indexOf("=") + 1).replace(/^'(.*)'$/, "$1"),
      ]),
    );
  }

  return {
    issuer,
    runLines,
    readEnv,
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
      const unit = await readFile(at("/etc/systemd/system/hallpass.service"), "utf8");
      const [, args = ""] = /^ExecStart=\/usr\/local\/bin\/hallpass (.*)$/m.exec(unit) ?? [];
      program = await startProgram(args.split(" "), await readEnv(), [
        at("/usr/local/bin/hallpass"),
      ]);
    },
    async makeBackups() {
      const unit = (await readFile(at("/etc/systemd/system/hallpass-backup.service"), "utf8"))
        .replace(/^Environment=.*$/m, `Environment=${variables}`);
      const folder = at("/var/backups/hallpass");
      await runLines(serviceLines(unit));
      const [first = ""] = await readdir(folder);
      const suffix = extname(first);
      await rename(join(folder, first), join(folder, `hallpass-2020-01-01T000000${suffix}`));
      const old = join(folder, `hallpass-2019-01-01T000000${suffix}`);
      await writeFile(old, "");
      await utimes(old, 0, 0);
      await runLines(serviceLines(unit));
      const files = (await readdir(folder)).toSorted();
      assertEquals([files.length, files[0]], [2, `hallpass-2020-01-01T000000${suffix}`]);
      const modes = await Promise.all(files.map(async (file) => await stat(join(folder, file))));
      assertEquals(modes.map(({ mode }) => mode & 0o777), [0o600, 0o600]);
    },
    async stop() {
      assertEquals(await program?.stop(), 0);
      program = undefined;
    },
    async startProxy() {
      const server = moved(await readFile(at("/etc/nginx/conf.d/hallpass.conf"), "utf8"))
        .replace("listen 443 ssl;", `listen ${tlsPort} ssl;`)
        .replace("listen 80;", `listen ${httpPort};`)
        // Not every machine has IPv6.
        .replace(/^ *listen \[::\].*$/gm, "");
      const path = join(folder, "test.conf");
      const preamble = `daemon off; pid ${folder}/nginx.pid; error_log stderr;`;
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
      await writeFile(
        path,
        `${preamble} events {} http { access_log off; ${temporary}\n${server}\n}`,
      );
      proxy = spawn("nginx", ["-e", "stderr", "-p", folder, "-c", path], { stdio: "ignore" });
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

/** Whether a test can run a line, with this engine. */
function isFor(line: string, engine: string): boolean {
  const [, mark = engine] = /# (SQLite|PostgreSQL)$/.exec(line) ?? [];
  return mark === engine && !linesForRoot.includes(line);
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
    const credentials = btoa(`grafana:${encodeURIComponent(application.secret)}`);
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

const redirect_uri = "https://grafana.example.org/login/generic_oauth";

function authorizationUrl(issuer: string): string {
  const parameters = new URLSearchParams({
    client_id: "grafana",
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

/** Returns the commands of a service, as systemd reads them: `$$` is `$`, and `%%` is `%`. */
function serviceLines(unit: string): string[] {
  const values = (name: RegExp) =>
    unit.split("\n").filter((line) => name.test(line)).map((line) => line.replace(name, ""));
  const [file] = values(/^EnvironmentFile=/);
  const [umask] = values(/^UMask=/);
  return [
    `set -a; . ${file}; set +a; umask ${umask}`,
    ...values(/^Environment=/).map((assignments) => `export ${assignments}`),
    ...[...values(/^ExecStart=/), ...values(/^ExecStartPost=/)]
      .map((line) => line.replaceAll("$$", () => "$").replaceAll("%%", "%")),
  ];
}

function linesBySection(page: string): Record<string, string[]> {
  return Object.fromEntries(
    page.split(/^##+ /m).map((section) => [section.split("\n", 1)[0], linesOf(section)]),
  );
}

/** Returns the shell lines of a section. A here document is one line. */
function linesOf(section: string): string[] {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) => lines);
  return [...blocks.join("").match(/^.*<<END\n[\s\S]*?^END$|^.+$/gm) ?? []];
}

function whyMissing(program: string): string | undefined {
  const { error } = spawnSync(program, ["--version"]);
  return error ? `${program} is missing` : undefined;
}
