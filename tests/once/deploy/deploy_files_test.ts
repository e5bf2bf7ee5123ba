import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "../../../scripts/child.ts";
import { variableOf } from "../../../src/program/command_line/command.ts";
import { commands } from "../../../src/program/commands.ts";
import { storeTimeout } from "../../../src/program/operate/open_store.ts";
import { invalid } from "../../../src/program/terminal/exit_code.ts";
import { idleTimeout } from "../../../src/runtime/listen.ts";
import { createServer } from "../../../src/server/mod.ts";
import { migrationTimeout } from "../../../src/server/store/postgres/schema.ts";
import { cert, key, rsaCert, rsaKey } from "../../support/certificate.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { listen } from "../../support/listen.ts";
import { accepts } from "../../support/postgres_server.ts";
import { startProgram } from "../../support/program.ts";
import { acceptedSuites, recommendedSuites, refusedSuites } from "../../support/tls_suites.ts";

const serve = commands.find(({ name }) => name === "serve");

/** How each proxy replaces or removes both headers of RFC 9440. */
const certificateHeaderRemovals: ReadonlyArray<[file: string, removal: RegExp]> = [
  ["nginx.conf", /^ +proxy_set_header Client-Cert(?:-Chain)? "";$/gm],
  [
    "nginx_client_certificates.conf",
    /^ +proxy_set_header Client-Cert(?:-Chain "| \$client_cert;$)/gm,
  ],
  ["Caddyfile", /^\t\theader_up -Client-Cert(?:-Chain)?$/gm],
  ["kubernetes.yaml", /(?<=must remove.*)Client-Cert(?:-Chain)?\b/g],
];

function missing(program: string, installs: string): string | false {
  return spawnSync(program, ["--version"]).error
    ? `${program} is missing: apt-get install ${installs}`
    : false;
}

function readDeployFile(name: string): Promise<string> {
  return readFile(join("scripts/deploy", name), "utf8");
}

/** Returns the documents in a YAML file. */
// deno-lint-ignore no-explicit-any
async function readYaml(name: string): Promise<any[]> {
  return parseAllDocuments(await readDeployFile(name)).map((document) => document.toJS());
}

/** Checks that `hallpass serve` takes options, given as on a command line. */
function checkServeOptions(args: readonly string[]): void {
  const names = new Set(serve?.options.map(({ name }) => `--${name}`));
  for (const arg of args) {
    if (arg.startsWith("--")) assertEquals([arg, names.has(arg)], [arg, true]);
  }
}

/** Checks that `hallpass serve` reads a variable. */
function checkVariable(name: string): void {
  const isKnown = name === "HALLPASS_SECRET" ||
    serve?.options.some((each) => variableOf(each.name) === name);
  assertEquals([name, isKnown], [name, true]);
}

/** Checks that a server has its probes where Kubernetes looks for them. */
async function checkProbes(): Promise<void> {
  const config = { port: await findFreePort(), metricsPort: 0, alg: "EdDSA" };
  const program = await startProgram(["serve"], { HALLPASS_CONFIG_JSON: JSON.stringify(config) });
  try {
    const [, metrics] = /^metrics: (http:\/\/\S+?)\/metrics$/m.exec(program.output()) ?? [];
    for (const url of [`${program.issuer}/health`, `${metrics}/health`, `${metrics}/ready`]) {
      const response = await fetch(url);
      await response.body?.cancel();
      assertEquals(response.status, 200);
    }
  } finally {
    await program.stop();
  }
}

/** Starts nginx with one of our files, on a free port, in front of a port. */
async function withNginx(
  name: string,
  act: (port: number, hasEnded: () => boolean) => Promise<void>,
  upstreamPort = 9000,
): Promise<void> {
  await inFolder(async (folder) => {
    await writeFile(join(folder, "fullchain.pem"), rsaCert);
    await writeFile(join(folder, "privkey.pem"), rsaKey);
    const [port, plainPort] = [await findFreePort(), await findFreePort()];
    const server = (await readDeployFile(name))
      .replaceAll("/etc/ssl/hallpass", folder)
      .replaceAll("/var/log/nginx", folder)
      .replaceAll("id.example.org", "localhost")
      .replaceAll("127.0.0.1:9000", `127.0.0.1:${upstreamPort}`)
      .replaceAll(/listen (\[::\]:)?443 ssl;/g, `listen $1${port} ssl;`)
      .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${plainPort};`);
    const config = `daemon off; pid ${folder}/nginx.pid; error_log stderr;` +
      `events {} http { access_log off;\n${server}\n}`;
    await writeFile(join(folder, "nginx.conf"), config);
    const nginx = spawn("nginx", ["-e", "stderr", "-p", folder, "-c", "nginx.conf"]);
    try {
      await act(port, () => nginx.exitCode !== null);
    } finally {
      const ended = once(nginx, "exit");
      nginx.kill();
      await ended;
    }
  });
}

/** Sends a request to a port with TLS, whose certificate is not checked, and reads the response. */
function getBehindTls(port: number, headers: Record<string, string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get(
    { host: "localhost", port, headers, rejectUnauthorized: false, agent: false },
    (response) => void response.resume().on("end", resolve),
  ).on("error", reject);
  return promise;
}

describe("scripts/deploy", () => {
  it("has a file that nginx accepts", { skip: missing("nginx", "nginx") }, async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, "logs"));
      await writeFile(join(folder, "fullchain.pem"), cert);
      await writeFile(join(folder, "privkey.pem"), key);
      const server = (await readDeployFile("nginx.conf")).replaceAll("/etc/ssl/hallpass", folder)
        .replaceAll("/var/log/nginx", folder);
      const config = `pid ${folder}/nginx.pid; events {} http { access_log off;\n${server}\n}`;
      await writeFile(join(folder, "nginx.conf"), config);
      const test = ["nginx", "-t", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
      const { code, output } = await runCommand(test, { timeout: 60_000 });
      assertEquals(code, 0, output);
    });
  });

  it("has a file with which nginx logs no query: a sign-out has an ID token there", async () => {
    const config = await readDeployFile("nginx.conf");
    assertEquals(config.match(/^server \{/gm)?.length, 2);
    assertEquals(config.match(/^ +access_log +\S+ hallpass;$/gm)?.length, 2);
    assert(!/^log_format .*\$(request\b|request_uri|args|query_string|http_referer)/m.test(config));
  });

  for (const name of ["nginx.conf", "nginx_client_certificates.conf"]) {
    it(`I9, N1: has ${name}, with which nginx refuses old suites of TLS 1.2`, {
      skip: missing("nginx", "nginx"),
    }, async () => {
      await withNginx(name, async (port, hasEnded) => {
        while ((await acceptedSuites(port, recommendedSuites.rsa)).length === 0) {
          if (hasEnded()) throw new Error("nginx ended.");
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        assertEquals(await acceptedSuites(port, refusedSuites.rsa), []);
      });
    });

    it(`has ${name}, which keeps its connections, and passes no trace of a client`, {
      skip: missing("nginx", "nginx"),
    }, async () => {
      const traces = new Set<string | undefined>();
      let connections = 0;
      await using upstream = await listen(
        createHttpServer((request, response) => {
          traces.add(`${request.headers.traceparent}`);
          response.end("ok");
        }).on("connection", () => connections++),
      );
      const headers = { Traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` };
      await withNginx(name, async (port, hasEnded) => {
        while (!await accepts(port)) assert(!hasEnded(), "nginx ended.");
        for (let count = 0; count < 20; count++) await getBehindTls(port, headers);
      }, upstream.port);
      assertEquals([connections, [...traces]], [1, ["undefined"]]);
    });

    it(`N1, N8: has ${name}, which listens on IPv6, and limits connections`, async () => {
      const text = await readDeployFile(name);
      assertMatch(text, /^ +listen \[::\]:443 ssl;$/m);
      assertMatch(text, /^ +add_header Strict-Transport-Security /m);
      assertMatch(text, /^limit_conn_zone .* zone=(\w+):[^]*^ +limit_conn +\1 \d+;$/m);
    });
  }

  const noSystemd = missing("systemd-analyze", "systemd");
  it("has a hardened unit that systemd accepts", { skip: noSystemd }, async () => {
    await inFolder(async (folder) => {
      const unit = (await readDeployFile("hallpass.service"))
        .replace("/usr/local/bin/hallpass", "/bin/true");
      await writeFile(join(folder, "hallpass.service"), unit);
      const path = join(folder, "hallpass.service");
      const verify = await runCommand(["systemd-analyze", "verify", path], { timeout: 60_000 });
      assertEquals([verify.code, verify.output.trim()], [0, ""]);
      const command = ["systemd-analyze", "security", "--offline=true", path];
      const { output } = await runCommand(command, { timeout: 60_000 });
      assertMatch(output, /Overall exposure level for hallpass\.service: [01]\.\d OK/);
    });
  });

  it("has a unit that starts the server again until its database has started, however long", async () => {
    const unit = await readDeployFile("hallpass.service");
    assertMatch(unit, /^After=.* postgresql\.service redis-server\.service$/m);
    assertMatch(unit, /^StartLimitIntervalSec=0$/m);
    assertMatch(unit, /^Restart=on-failure\nRestartSec=2$/m);
    // N4: an invalid configuration stays invalid.
    assertMatch(unit, new RegExp(`^RestartPreventExitStatus=${invalid}$`, "m"));
  });

  for (const name of ["hallpass-backup.service", "hallpass-backup-postgres.service"]) {
    it(`has a timer and ${name}, which systemd accepts`, { skip: noSystemd }, async () => {
      await inFolder(async (folder) => {
        const path = (suffix: string) => join(folder, `hallpass-backup.${suffix}`);
        const service = (await readDeployFile(name)).replace(
          "/usr/local/bin/hallpass",
          "/bin/true",
        );
        await writeFile(path("service"), service);
        await writeFile(path("timer"), await readDeployFile("hallpass-backup.timer"));
        const command = ["systemd-analyze", "verify", path("service"), path("timer")];
        const { code, output } = await runCommand(command, { timeout: 60_000 });
        assertEquals([code, output.trim()], [0, ""]);
      });
    });
  }

  it("tells pg_dump where the database is in variables, which other users cannot read", async () => {
    const unit = await readDeployFile("hallpass-backup-postgres.service");
    const [command = ""] = unit.match(/^ExecStart=.*$/m) ?? [];
    assert(!/--dbname|--host|--username|postgres:/.test(command), command);
    assertMatch(unit, /^Environment=PGHOST=\S+ PGPORT=\S+ PGUSER=\S+ PGDATABASE=\S+/m);
  });

  it("has a unit that starts the server with variables that it has", async () => {
    const unit = await readDeployFile("hallpass.service");
    assertMatch(unit, /^ExecStart=\/usr\/local\/bin\/hallpass serve$/m);
    const [, names = ""] = /^# (HALLPASS_.*), \.\.\.$/m.exec(unit) ?? [];
    for (const name of names.split(", ")) checkVariable(name);
  });

  it("has objects for Kubernetes whose arguments and probes exist, and which start and stop in time", async () => {
    const objects = await readYaml("kubernetes.yaml");
    const kinds = ["Deployment", "Service", "Ingress", "NetworkPolicy"];
    assertEquals(objects.map(({ kind }) => kind), kinds);
    const [deployment, , ingress, policy] = objects;
    const [container] = deployment.spec.template.spec.containers;
    const [command, ...args] = container.args;
    assertEquals(command, "serve");
    checkServeOptions(args);
    for (const { name } of container.env) checkVariable(name);
    // While thousands of connections are opened, a new one waits at the port that they are opened at.
    assertEquals(container.livenessProbe.httpGet, { path: "/health", port: "metrics" });
    assertEquals(container.readinessProbe.httpGet, { path: "/ready", port: "metrics" });
    // V1: a server that is only busy must not be restarted.
    assert(container.livenessProbe.timeoutSeconds >= 5);
    assert(container.readinessProbe.timeoutSeconds >= 3, "V1: the check itself may take two");
    assertEquals(container.ports, [
      { name: "http", containerPort: 9000 },
      { name: "metrics", containerPort: 9464 },
    ]);
    await checkProbes();
    const { startupProbe, lifecycle } = container;
    const startTime = startupProbe.periodSeconds * startupProbe.failureThreshold;
    assert(startTime > storeTimeout + migrationTimeout / 1000, "longer than the retries");
    assertEquals(startupProbe.httpGet, { path: "/health", port: "http" });
    const [, pause] = lifecycle.preStop.exec.command;
    // Stopping takes up to ten seconds.
    assert(deployment.spec.template.spec.terminationGracePeriodSeconds > Number(pause) + 10);
    assertEquals(ingress.spec.rules[0].host, "id.example.org");
    // N8: not the whole cluster.
    const open = policy.spec.ingress.filter(({ from }: { from?: unknown }) => !from);
    assertEquals(open, [{ ports: [{ port: "http" }] }]);
  });

  it("V5: lets Kubernetes look for the server below the path of its issuer", async () => {
    const text = await readDeployFile("kubernetes.yaml");
    const [, path = ""] = /If the issuer has a path, .*: (\S+)\.$/m.exec(text) ?? [];
    const issuer = `https://id.example${path.slice(0, path.lastIndexOf("/"))}`;
    const server = createServer({ issuer });
    const response = await server.fetch(new Request(`http://10.0.0.1:9000${path}`));
    assertEquals([issuer, response.status], ["https://id.example/tenants/a", 200]);
    await server.close();
  });

  for (const name of ["nginx.conf", "Caddyfile", "kubernetes.yaml"]) {
    it(`says in ${name} how long the server keeps idle connections`, async () => {
      assertMatch(await readDeployFile(name), new RegExp(`\\b${idleTimeout} ?s`));
    });
  }

  it("has a Caddyfile that forwards the issuer to the server's port", async () => {
    const text = await readDeployFile("Caddyfile");
    assertMatch(
      text,
      /^https:\/\/id\.example\.org \{\n[^}]*\treverse_proxy 127\.0\.0\.1:9000 \{$/m,
    );
  });

  for (const [name, removal] of certificateHeaderRemovals) {
    it(`lets no client claim a certificate through ${name}`, async () => {
      const text = await readDeployFile(name);
      assertEquals(new Set(text.match(removal)).size, 2, text);
    });
  }

  it("has a Caddyfile that passes no trace of a client", async () => {
    assertMatch(await readDeployFile("Caddyfile"), /^\t\theader_up -Traceparent$/m);
  });

  it("has a service for Compose whose command and variables exist", async () => {
    const [{ services: { hallpass } }] = await readYaml("compose.yaml");
    const [command, ...args] = hallpass.command.split(" ");
    assertEquals(command, "serve");
    checkServeOptions(args);
    assertEquals(hallpass.ports, ["127.0.0.1:9000:9000"]);
    for (const name of Object.keys(hallpass.environment)) checkVariable(name);
  });

  it("trusts the gateway of Compose's network, through which a published port is reached", async () => {
    const text = await readDeployFile("compose.yaml");
    const [, trusted = ""] = /"trustedProxies": (\[.*\])/.exec(text) ?? [];
    const [{ networks }] = await readYaml("compose.yaml");
    const [network] = networks.default.ipam.config;
    assertEquals(JSON.parse(trusted), [network.gateway]);
  });

  it("has a lab for Compose that works for the browser and for the application", async () => {
    const port = await findFreePort();
    const text = (await readDeployFile("compose.lab.yaml")).replaceAll("9000", `${port}`);
    const { services: { hallpass, app } } = parse(text);
    const lab = await startProgram(["lab"], {
      ...hallpass.environment,
      HALLPASS_LAB_TOKEN: "a-token-of-32-letters-and-digits",
      HALLPASS_EXPOSE: "yes",
    });
    const metadata =
      await (await fetch(`http://localhost:${port}/.well-known/openid-configuration`)).json();
    await lab.stop();
    assertEquals(metadata.issuer, app.environment.OIDC_ISSUER);
    assertEquals(metadata.authorization_endpoint, `http://localhost:${port}/oauth2/authorize`);
    assertEquals(metadata.token_endpoint, `http://hallpass:${port}/oauth2/token`);
    assert(!/warning: The server listens/.test(lab.output()), lab.output());
  });
});
