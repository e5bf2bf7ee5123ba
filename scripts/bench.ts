/**
 * Measures what a lab costs a test suite, and then a running lab: operations per second over 16 kept-alive connections,
 * and the server's CPU time for each.
 *
 *   deno task bench [kit] [server] [--runtime deno|bun|node] [--alg ES256] [--store memory] [--seconds 3]
 *
 * Numbers are worth comparing within one run only. Server and generator stand on different cores where `taskset` is there.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";
import { createBrowser } from "../tests/support/browser.ts";
import { benchKit } from "./bench_kit.ts";
import { bundle } from "./bundle.ts";

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    /** Default: Node for the kit, Deno for the server. */
    runtime: { type: "string" },
    alg: { type: "string", default: "ES256" },
    store: { type: "string", default: "memory" },
    seconds: { type: "string", default: "3" },
  },
});

const runtime = values.runtime ?? "deno";
const connections = 16;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

interface Answer {
  status: number;
  location: string;
  text: string;
}

/** One request, as cheap as the generator can make it. */
function send(
  url: URL,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = options;
    const form = body === undefined
      ? {}
      : { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": `${body.length}` };
    const outgoing = request({
      agent,
      host: "127.0.0.1",
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: { Host: url.host, ...form, ...headers },
    }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => text += chunk);
      response.on(
        "end",
        () =>
          resolve({
            status: response.statusCode ?? 0,
            location: response.headers.location ?? "",
            text,
          }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function command(): string[] {
  if (runtime === "deno") {
    return [process.execPath, "run", "--allow-all", "--no-check", "src/main.ts"];
  }
  if (runtime === "bun") return ["npx", "-y", "bun@1", "src/main.ts"];
  mkdirSync(".build", { recursive: true });
  bundle({ entryPoints: ["src/main.ts"], outfile: ".build/bench.mjs" });
  return ["npx", "-y", "node@24", ".build/bench.mjs"];
}

/** Starts the server on a core of its own, and finds the process that does the work. */
async function startLab(): Promise<{ issuer: string; pid: number; stop(): void }> {
  const [program, ...args] = [
    "taskset",
    "-c",
    "0",
    ...command(),
    "lab",
    "--port",
    "0",
    "--alg",
    values.alg,
    "--store",
    values.store,
  ];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const issuer = await new Promise<string>((resolve) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      if (output.length > 10_000) return;
      output += chunk;
      const ready = /hallpass ready (\S+)/.exec(output);
      if (ready) resolve(ready[1]);
    });
  });
  return { issuer, pid: listenerOf(child.pid!), stop: () => process.kill(-child.pid!, "SIGKILL") };
}

/** The last of a chain of wrappers. */
function listenerOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
    .filter(Boolean).map(Number);
  return children.length > 0 ? listenerOf(children[0]) : pid;
}

/** CPU time of a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measure(name: string, pid: number, act: () => Promise<void>): Promise<void> {
  for (let warm = 0; warm < 200; warm++) await act();
  const seconds = Number(values.seconds);
  const [started, cpu] = [performance.now(), cpuOf(pid)];
  const end = started + seconds * 1000;
  let done = 0;
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      await act();
      done++;
    }
  }));
  const rate = done / ((performance.now() - started) / 1000);
  console.log(
    `${name.padEnd(20)} ${rate.toFixed(0).padStart(8)} per second   ${
      ((cpuOf(pid) - cpu) * 1000 / done).toFixed(0).padStart(6)
    } µs of CPU each`,
  );
}

function expect(condition: boolean, answer: Answer): void {
  if (!condition) {
    throw new Error(`Unexpected: ${answer.status} ${answer.location} ${answer.text.slice(0, 200)}`);
  }
}

if (parts.length === 0 || parts.includes("kit")) await benchKit(values.runtime ?? "node");
if (parts.length === 0 || parts.includes("server")) await benchServer();
process.exit(0);

async function benchServer(): Promise<void> {
  const lab = await startLab();
  try {
    await measureAll(lab.issuer, lab.pid);
  } finally {
    lab.stop();
    agent.destroy();
  }
}

async function measureAll(issuer: string, pid: number): Promise<void> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "demo-web",
    redirect_uri: `${issuer}/authorized`,
    scope: "openid profile read",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const authorizeUrl = new URL(`${issuer}/oauth2/authorize?${query}`);
  const tokenUrl = new URL(`${issuer}/oauth2/token`);
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(`${issuer}/oauth2/`),
  );
  await browser.authorize(authorizeUrl.href);
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const Authorization = `Basic ${btoa("demo-web:demo-web-secret")}`;
  const service = { Authorization: `Basic ${btoa("demo-service:demo-service-secret")}` };

  const flow = async (): Promise<Record<string, string>> => {
    const authorized = await send(authorizeUrl, { headers: { Cookie } });
    const code = /[?&]code=([^&]+)/.exec(authorized.location)?.[1] ?? "";
    expect(code !== "", authorized);
    const answer = await send(tokenUrl, {
      method: "POST",
      headers: { Authorization },
      body: `grant_type=authorization_code&code=${code}&redirect_uri=${
        encodeURIComponent(`${issuer}/authorized`)
      }&code_verifier=${verifier}`,
    });
    expect(answer.status === 200, answer);
    return JSON.parse(answer.text);
  };

  console.log(`${runtime}, ${values.alg}, ${values.store}, ${connections} connections`);
  await measure("flow", pid, async () => void await flow());
  await measure("client credentials", pid, async () => {
    const answer = await send(tokenUrl, {
      method: "POST",
      headers: service,
      body: "grant_type=client_credentials&scope=read",
    });
    expect(answer.status === 200, answer);
  });
  const waiting: string[] = [];
  for (let count = 0; count < connections * 2; count++) waiting.push((await flow()).refresh_token);
  await measure("refresh", pid, async () => {
    const refresh = waiting.shift()!;
    const answer = await send(tokenUrl, {
      method: "POST",
      headers: { Authorization },
      body: `grant_type=refresh_token&refresh_token=${refresh}`,
    });
    expect(answer.status === 200, answer);
    waiting.push(JSON.parse(answer.text).refresh_token);
  });
  const { access_token } = await flow();
  await measure("introspect", pid, async () => {
    const answer = await send(new URL(`${issuer}/oauth2/introspect`), {
      method: "POST",
      headers: service,
      body: `token=${access_token}`,
    });
    expect(answer.text.includes('"active":true'), answer);
  });
  await measure("userinfo", pid, async () => {
    const answer = await send(new URL(`${issuer}/oauth2/userinfo`), {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    expect(answer.status === 200, answer);
  });
  await measure("discovery", pid, async () => {
    const answer = await send(new URL(`${issuer}/.well-known/openid-configuration`));
    expect(answer.status === 200, answer);
  });
}
