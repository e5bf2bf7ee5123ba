import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { runCommand } from "../../../scripts/child.ts";
import { variableOf } from "../../../src/program/command_line/option.ts";
import { commands } from "../../../src/program/commands.ts";
import { snippets } from "../../../src/program/doctor/snippets/snippets.ts";
import { storeTimeout } from "../../../src/program/operate/wait_for_store.ts";
import { idleTimeout } from "../../../src/runtime/listen.ts";
import { createServer } from "../../../src/server/mod.ts";
import { migrationTimeout } from "../../../src/server/store/postgres/schema.ts";
import { cert, key, rsaCert, rsaKey } from "../../support/certificate.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { runProgram, startProgram } from "../../support/program.ts";
import { acceptedSuites, recommendedSuites, refusedSuites } from "../../support/tls_suites.ts";

const site = { issuer: "https://id.example", port: 9000, metricsPort: 9464, store: undefined };
const serve = commands.find(({ name }) => name === "serve");

function missing(program: string, installs: string): string | false {
  return spawnSync(program, ["--version"]).error
    ? `${program} is missing: apt-get install ${installs}`
    : false;
}

/** Returns the text of a file as `hallpass doctor --print` prints it. */
async function printed(name: string, issuer = site.issuer, env = {}): Promise<string> {
  const { code, output } = await runProgram(["doctor", "--issuer", issuer, "--print", name], env);
  assertEquals(code, 0, output);
  return output;
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
  const isKnown = name === "HALLPASS_SECRET" || serve?.options.map(variableOf).includes(name);
  assertEquals([name, isKnown], [name, true]);
}

/** Checks that a server has both probes where Kubernetes looks for them. */
async function checkProbes(): Promise<void> {
  const config = { port: await findFreePort(), metricsPort: 0, alg: "EdDSA" };
  const program = await startProgram(["serve"], { HALLPASS_CONFIG_JSON: JSON.stringify(config) });
  try {
    const [, metrics] = /^metrics: (http:\/\/\S+?)\/metrics$/m.exec(program.output()) ?? [];
    for (const url of [`${program.issuer}/health`, `${metrics}/ready`]) {
      const response = await fetch(url);
      await response.body?.cancel();
      assertEquals(response.status, 200);
    }
  } finally {
    await program.stop();
  }
}

/** A database, whose address has a password. */
const database = "postgres://app:s3cret@db.example:5433/ids?schema=auth&sslmode=require";

describe("hallpass doctor --print", () => {
  it("nginx prints a file that nginx accepts", { skip: missing("nginx", "nginx") }, async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, "logs"));
      await writeFile(join(folder, "fullchain.pem"), cert);
      await writeFile(join(folder, "privkey.pem"), key);
      const server = (await printed("nginx")).replaceAll("/etc/ssl/hallpass", folder);
      const config = `pid ${folder}/nginx.pid; events {} http { access_log off;\n${server}\n}`;
      await writeFile(join(folder, "nginx.conf"), config);
      const test = ["nginx", "-t", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
      const { code, output } = await runCommand(test, { timeout: 60_000 });
      assertEquals(code, 0, output);
    });
  });

  it("I9: nginx prints a file with which nginx refuses old suites of TLS 1.2", {
    skip: missing("nginx", "nginx"),
  }, async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, "fullchain.pem"), rsaCert);
      await writeFile(join(folder, "privkey.pem"), rsaKey);
      const [port, plainPort] = [await findFreePort(), await findFreePort()];
      const server = (await printed("nginx", `https://localhost:${port}`))
        .replaceAll("/etc/ssl/hallpass", folder)
        .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${plainPort};`);
      const config = `daemon off; pid ${folder}/nginx.pid; error_log stderr;` +
        `events {} http { access_log off;\n${server}\n}`;
      await writeFile(join(folder, "nginx.conf"), config);
      const nginx = spawn("nginx", ["-e", "stderr", "-p", folder, "-c", "nginx.conf"]);
      try {
        while ((await acceptedSuites(port, recommendedSuites.rsa)).length === 0) {
          if (nginx.exitCode !== null) throw new Error("nginx ended.");
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        assertEquals(await acceptedSuites(port, refusedSuites.rsa), []);
      } finally {
        const ended = once(nginx, "exit");
        nginx.kill();
        await ended;
      }
    });
  });

  const noSystemd = missing("systemd-analyze", "systemd");
  it("systemd prints a hardened unit that systemd accepts", { skip: noSystemd }, async () => {
    await inFolder(async (folder) => {
      const unit = (await printed("systemd")).replace("/usr/local/bin/hallpass", "/bin/true");
      await writeFile(join(folder, "hallpass.service"), unit);
      const path = join(folder, "hallpass.service");
      const verify = await runCommand(["systemd-analyze", "verify", path], { timeout: 60_000 });
      assertEquals([verify.code, verify.output.trim()], [0, ""]);
      const command = ["systemd-analyze", "security", "--offline=true", path];
      const { output } = await runCommand(command, { timeout: 60_000 });
      assertMatch(output, /Overall exposure level for hallpass\.service: [01]\.\d OK/);
    });
  });

  it("systemd starts the server again until its database has started, however long", async () => {
    const unit = await printed("systemd");
    assertMatch(unit, /^After=.* postgresql\.service redis-server\.service$/m);
    assertMatch(unit, /^StartLimitIntervalSec=0$/m);
    assertMatch(unit, /^Restart=on-failure\nRestartSec=2$/m);
  });

  it("backup prints a service and its timer, which systemd accepts", {
    skip: noSystemd,
  }, async () => {
    for (const store of ["sqlite:/var/lib/hallpass/hallpass.db", database]) {
      await inFolder(async (folder) => {
        const path = (suffix: string) => join(folder, `hallpass-backup.${suffix}`);
        const service = await printed("backup-service", site.issuer, { HALLPASS_STORE: store });
        await writeFile(path("service"), service);
        await writeFile(path("timer"), await printed("backup-timer"));
        const command = ["systemd-analyze", "verify", path("service"), path("timer")];
        const { code, output } = await runCommand(command, { timeout: 60_000 });
        assertEquals([code, output.trim()], [0, ""]);
      });
    }
  });

  it("backup-service tells pg_dump where the database is, and no password", async () => {
    const text = await printed("backup-service", site.issuer, { HALLPASS_STORE: database });
    for (const part of ["PGHOST=db.example\n", "PGPORT=5433\n", 'PGUSER="app" PGDATABASE="ids"']) {
      assertStringIncludes(text, `Environment=${part}`);
    }
    assertStringIncludes(text, "PGSSLMODE=require");
    assertStringIncludes(text, '--table="auth.hallpass_*"');
    assert(!text.includes("s3cret"));
  });

  it("backup-service refuses Redis, which has its own means", async () => {
    const { code, output } = await runProgram(
      ["doctor", "--print", "backup-service", "--store", "redis://localhost"],
    );
    assertEquals(code, 2);
    assertStringIncludes(output, "BGSAVE");
  });

  it("systemd starts the server with variables that it has", async () => {
    const unit = await printed("systemd");
    assertMatch(unit, /^ExecStart=\/usr\/local\/bin\/hallpass serve$/m);
    const [, names = ""] = /^# (HALLPASS_.*), \.\.\.$/m.exec(unit) ?? [];
    for (const name of names.split(", ")) checkVariable(name);
  });

  it("R10: kubernetes prints objects whose arguments and probes exist, and which start and stop in time", async () => {
    const [deployment, service, ingress] = parseAllDocuments(await printed("kubernetes"))
      .map((document) => document.toJS());
    assertEquals([deployment.kind, service.kind, ingress.kind], [
      "Deployment",
      "Service",
      "Ingress",
    ]);
    const [container] = deployment.spec.template.spec.containers;
    const [command, ...args] = container.args;
    assertEquals(command, "serve");
    checkServeOptions(args);
    for (const { name } of container.env) checkVariable(name);
    assertEquals(container.livenessProbe.httpGet, { path: "/health", port: "http" });
    assertEquals(container.readinessProbe.httpGet, { path: "/ready", port: "metrics" });
    assertEquals(container.ports, [
      { name: "http", containerPort: 9000 },
      { name: "metrics", containerPort: 9464 },
    ]);
    await checkProbes();
    const { startupProbe, lifecycle } = container;
    const startTime = startupProbe.periodSeconds * startupProbe.failureThreshold;
    assert(startTime > storeTimeout + migrationTimeout / 1000, "R10: longer than the retries");
    assertEquals(startupProbe.httpGet, container.livenessProbe.httpGet);
    const [, pause] = lifecycle.preStop.exec.command;
    // Stopping takes up to ten seconds.
    assert(deployment.spec.template.spec.terminationGracePeriodSeconds > Number(pause) + 10);
    assertEquals(ingress.spec.rules[0].host, "id.example");
  });

  it("V5: kubernetes looks for the server below the path of its issuer", async () => {
    const issuer = "https://id.example/tenants/a";
    const [deployment] = parseAllDocuments(await printed("kubernetes", issuer))
      .map((document) => document.toJS());
    const [{ startupProbe, livenessProbe }] = deployment.spec.template.spec.containers;
    const server = createServer({ issuer });
    for (const { httpGet } of [startupProbe, livenessProbe]) {
      const response = await server.fetch(new Request(`http://10.0.0.1:9000${httpGet.path}`));
      assertEquals([httpGet.path, response.status], ["/tenants/a/health", 200]);
    }
    await server.close();
  });

  it("R10: nginx, caddy and kubernetes name how long the server keeps idle connections", async () => {
    for (const name of ["nginx", "caddy", "kubernetes"]) {
      assertStringIncludes(await printed(name), `${idleTimeout}`);
    }
  });

  it("compose prints a service whose command exists", async () => {
    const [compose] = parseAllDocuments(await printed("compose")).map((each) => each.toJS());
    const [command, ...args] = compose.services.hallpass.command.split(" ");
    assertEquals(command, "serve");
    checkServeOptions(args);
    assertEquals(compose.services.hallpass.ports, ["127.0.0.1:9000:9000"]);
    for (const name of Object.keys(compose.services.hallpass.environment)) checkVariable(name);
  });

  it("compose trusts the gateway of its network, through which a published port is reached", async () => {
    const text = await printed("compose");
    const [, trusted = ""] = /"trustedProxies": (\[.*\])/.exec(text) ?? [];
    const [compose] = parseAllDocuments(text).map((each) => each.toJS());
    const [network] = compose.networks.default.ipam.config;
    assertEquals(JSON.parse(trusted), [network.gateway]);
  });

  it("compose keeps the store and the metrics port of the configuration", async () => {
    const env = { HALLPASS_STORE: database, HALLPASS_METRICS_PORT: "9999" };
    const text = await printed("compose", site.issuer, env);
    const [compose] = parseAllDocuments(text).map((each) => each.toJS());
    const { environment, volumes } = compose.services.hallpass;
    assertMatch(environment.HALLPASS_STORE, /^\$\{HALLPASS_STORE:\?/);
    assertEquals([environment.HALLPASS_METRICS_PORT, volumes.length], ["9999", 1]);
    assert(!text.includes("s3cret"));
  });

  for (const [name, write] of Object.entries(snippets)) {
    it(`${name} prints the file as it is, tabs included, for any host and port`, async () => {
      const issuer = "https://login.example:8443";
      const text = await printed(name, issuer);
      assertEquals(text.trimEnd(), write({ ...site, issuer }).trimEnd());
      if (/nginx|caddy|kubernetes/.test(name)) assertStringIncludes(text, "login.example");
    });
  }
});
