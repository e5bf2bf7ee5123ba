import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../../support/free_port.ts";
import { type Program, startProgram } from "../../support/program.ts";

const client = { id: "app", secret: "a-secret-of-32-characters-at-least" };

/** Servers behind nginx, which spreads the requests. */
export interface Site {
  /** Where nginx opens a connection to a server for each request, and where it keeps them. */
  urls: readonly string[];
  /**
   * Stops each server, and starts it again, one after the other. Between two of them, it waits for
   * the requests of these loads: one that met a server that stopped needs the other.
   */
  restartAll(loads: readonly Load[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts two servers on the store with this URL, by a command of a runtime, and nginx before them.
 */
export async function startSite(folder: string, command: string[], store: string): Promise<Site> {
  const [reopening, keeping, ...ports] = await Promise.all(Array.from({ length: 4 }, findFreePort));
  const urls = [`http://localhost:${reopening}`, `http://localhost:${keeping}`];
  const config = {
    issuer: urls[0],
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
  const proxy = await startProxy(folder, ports, { reopening, keeping });
  return {
    urls,
    async restartAll(loads) {
      for (const [n, port] of ports.entries()) {
        await programs[n]?.stop();
        programs[n] = await start(port);
        await Promise.all(loads.map((load) => load.underWay()));
      }
    },
    async close() {
      await endProxy(proxy);
      await Promise.all(programs.map((program) => program.stop()));
    },
  };
}

/** The ports of nginx. */
interface ProxyPorts {
  reopening: number | undefined;
  keeping: number | undefined;
}

async function startProxy(
  folder: string,
  ports: readonly number[],
  { reopening, keeping }: ProxyPorts,
): Promise<ChildProcess> {
  const root = join(folder, "nginx");
  await mkdir(root);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${root}/${name};`).join(" ");
  const servers = ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(" ");
  await writeFile(
    join(root, "nginx.conf"),
    `daemon off; pid ${root}/nginx.pid; error_log stderr;
events {}
http {
  access_log off; ${temporary}
  upstream reopened { ${servers} }
  upstream kept { ${servers} keepalive 16; }
  ${serverBlock(reopening, "reopened")}
  ${serverBlock(keeping, "kept")}
}`,
  );
  const args = ["-e", "stderr", "-p", root, "-c", join(root, "nginx.conf")];
  const proxy = spawn("nginx", args, { stdio: "ignore" });
  while (!await fetch(`http://127.0.0.1:${keeping}/health`).then((r) => r.text(), () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return proxy;
}

function serverBlock(port: number | undefined, upstream: "reopened" | "kept"): string {
  return `server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://${upstream};
      proxy_http_version 1.1;
      ${upstream === "kept" ? 'proxy_set_header Connection "";' : ""}
      # A server that stops has not handled a request that meets its closing connection.
      proxy_next_upstream error non_idempotent;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`;
}

async function endProxy(proxy: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => proxy.once("exit", resolve));
  proxy.kill("SIGTERM");
  await ended;
}

/** Requests that are sent all the time. */
export interface Load {
  /** Resolves when what is under way has ended. */
  underWay(): Promise<void>;
  stop(): Promise<LoadResult>;
}

/** What became of the requests of a load. */
export interface LoadResult {
  requests: number;
  /** What each failed request got: a status, or an error. */
  failures: string[];
}

/** Requests tokens and keys all the time, on several lines, until it is stopped. */
export function startLoad(url: string, lines = 3): Load {
  let isStopped = false;
  const result: LoadResult = { requests: 0, failures: [] };
  const authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
  const send = (path: string, init?: RequestInit) =>
    fetch(`${url}${path}`, init).then(async (response) => {
      await response.text();
      return response.ok ? undefined : `${path} ${response.status}`;
    }, (cause) => `${path} ${cause}`);

  async function sendBoth(): Promise<void> {
    const body = new URLSearchParams({ grant_type: "client_credentials", scope: "read" });
    const headers = { Authorization: authorization };
    const outcomes = [
      await send("/oauth2/token", { method: "POST", headers, body }),
      await send("/oauth2/jwks"),
    ];
    result.requests += outcomes.length;
    result.failures.push(...outcomes.filter((outcome) => outcome !== undefined));
  }

  const rounds: Array<Promise<void>> = [];
  async function work(_: unknown, line: number): Promise<void> {
    while (!isStopped) await (rounds[line] = sendBoth());
  }

  const working = Array.from({ length: lines }, work);
  return {
    underWay: async () => void await Promise.all(rounds),
    async stop() {
      isStopped = true;
      await Promise.all(working);
      return result;
    },
  };
}
