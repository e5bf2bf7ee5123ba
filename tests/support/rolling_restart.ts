import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "./free_port.ts";
import { type Program, startProgram } from "./program.ts";

const client = { id: "app", secret: "a-secret-of-32-characters-at-least" };

/** Servers behind nginx, which spreads the requests. */
export interface Site {
  url: string;
  /** Stops each server, and starts it again, one after the other. */
  restartAll(): Promise<void>;
  close(): Promise<void>;
}

/** What the servers share, and how nginx treats the connections to them. */
export interface SiteSettings {
  /** The URL of the store. */
  store: string;
  /** How many idle connections to the servers nginx keeps; 0 opens one for each request. */
  keepAlive: number;
}

/** Starts servers on one store, with a command of a runtime, and nginx in front of them. */
export async function startSite(
  folder: string,
  command: string[],
  { keepAlive, store }: SiteSettings,
): Promise<Site> {
  const [port, ...ports] = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const url = `http://localhost:${port}`;
  const config = {
    issuer: url,
    store,
    alg: "EdDSA",
    trustedProxies: "loopback",
    log: "off",
    scopes: { read: "Read" },
    clients: [{ ...client, grantTypes: ["client_credentials"] }],
  };
  const file = join(folder, "hallpass.json");
  await writeFile(file, JSON.stringify(config));
  const start = (port: number) =>
    startProgram(["serve", "--config", file, "--port", String(port)], {}, command);
  const programs: Program[] = [];
  for (const port of ports) programs.push(await start(port));
  const proxy = await startProxy(folder, Number(port), ports, keepAlive);
  return {
    url,
    async restartAll() {
      for (const [n, port] of ports.entries()) {
        await programs[n]?.stop();
        programs[n] = await start(port);
      }
    },
    async close() {
      await endProxy(proxy);
      await Promise.all(programs.map((program) => program.stop()));
    },
  };
}

async function startProxy(
  folder: string,
  port: number,
  ports: readonly number[],
  keepAlive: number,
): Promise<ChildProcess> {
  const root = join(folder, "nginx");
  await mkdir(root);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${root}/${name};`).join(" ");
  const keeping = keepAlive === 0 ? "" : `keepalive ${keepAlive};`;
  await writeFile(
    join(root, "nginx.conf"),
    `daemon off; pid ${root}/nginx.pid; error_log stderr;
events {}
http {
  access_log off; ${temporary}
  upstream nodes { ${
      ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(" ")
    } ${keeping} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      ${keepAlive === 0 ? "" : 'proxy_set_header Connection "";'}
      # A server that stops has not handled a request that meets its closing connection.
      proxy_next_upstream error non_idempotent;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}`,
  );
  const args = ["-e", "stderr", "-p", root, "-c", join(root, "nginx.conf")];
  const proxy = spawn("nginx", args, { stdio: "ignore" });
  while (!await fetch(`http://127.0.0.1:${port}/health`).then((r) => r.text(), () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return proxy;
}

async function endProxy(proxy: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => proxy.once("exit", resolve));
  proxy.kill("SIGTERM");
  await ended;
}

/** What became of the requests of a load. */
export interface LoadResult {
  requests: number;
  /** What each failed request got: a status, or an error. */
  failures: string[];
}

/** Requests tokens and keys all the time, on several lines, until it is stopped. */
export function startLoad(url: string, lines = 8): { stop(): Promise<LoadResult> } {
  let isStopped = false;
  const result: LoadResult = { requests: 0, failures: [] };
  const authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
  const send = (path: string, init?: RequestInit) =>
    fetch(`${url}${path}`, init).then(async (response) => {
      await response.text();
      return response.ok ? undefined : `${path} ${response.status}`;
    }, (cause) => `${path} ${cause}`);

  async function work(): Promise<void> {
    while (!isStopped) {
      const body = new URLSearchParams({ grant_type: "client_credentials", scope: "read" });
      const headers = { Authorization: authorization };
      const outcomes = [
        await send("/oauth2/token", { method: "POST", headers, body }),
        await send("/oauth2/jwks"),
      ];
      result.requests += outcomes.length;
      result.failures.push(...outcomes.filter((outcome) => outcome !== undefined));
    }
  }

  const working = Array.from({ length: lines }, work);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(working);
      return result;
    },
  };
}
