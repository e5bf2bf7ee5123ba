import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import process from "node:process";
import { createBrowser } from "../tests/support/browser.ts";
import { bundle } from "./bundle.ts";

/** What to measure, and for how long. */
export interface ServerBenchmark {
  runtime: string;
  alg: string;
  store: string;
  seconds: number;
}

interface RunningLab {
  issuer: string;
  pid: number;
  stop(): void;
}

interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface BenchResponse {
  status: number;
  location: string;
  text: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Measures an operation and prints the result. */
type Measure = (name: string, operation: () => Promise<void>) => Promise<void>;

const connections = 16;
const warmUps = 200;
/** What Linux counts CPU time in, in milliseconds. */
const clockTick = 10;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const web = { Authorization: `Basic ${btoa("demo-web:demo-web-secret")}` };
const service = { Authorization: `Basic ${btoa("demo-service:demo-service-secret")}` };
const formType = "application/x-www-form-urlencoded";

/** Measures a lab that runs as a program of its own. */
export async function benchServer(benchmark: ServerBenchmark): Promise<void> {
  const lab = await startLab(benchmark);
  const { runtime, alg, store, seconds } = benchmark;
  console.log(`${runtime}, ${alg}, ${store}, ${connections} connections`);
  try {
    await measureAll(lab.issuer, (name, operation) => measure(name, operation, lab.pid, seconds));
  } finally {
    lab.stop();
    agent.destroy();
  }
}

/** Starts the lab on a core of its own, so that it does not compete with the load generator. */
async function startLab({ runtime, alg, store }: ServerBenchmark): Promise<RunningLab> {
  const options = ["lab", "--port", "0", "--alg", alg, "--store", store];
  const args = ["-c", "0", ...commandOf(runtime), ...options];
  const child = spawn("taskset", args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const issuer = await new Promise<string>((resolve) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      if (output.length > 10_000) return;
      output += chunk;
      const [, issuer] = /hallpass ready (\S+)/.exec(output) ?? [];
      if (issuer) resolve(issuer);
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("The lab did not start.");
  return { issuer, pid: serverProcess(pid), stop: () => process.kill(-pid, "SIGKILL") };
}

function commandOf(runtime: string): string[] {
  if (runtime === "deno") {
    return [process.execPath, "run", "--allow-all", "--no-check", "src/main.ts"];
  }
  if (runtime === "bun") return ["npx", "-y", "bun@1", "src/main.ts"];
  mkdirSync(".build", { recursive: true });
  bundle({ entryPoints: ["src/main.ts"], outfile: ".build/bench.mjs" });
  return ["npx", "-y", "node@24", ".build/bench.mjs"];
}

/** Finds the server below its wrappers, such as npx. */
function serverProcess(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  const [child] = children.trim().split(" ").filter(Boolean).map(Number);
  return child === undefined ? pid : serverProcess(child);
}

/** Returns the CPU time that a process has used, in milliseconds. */
function cpuTime(pid: number): number {
  const [, afterName = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = afterName.split(" ").map(Number);
  const [user = 0, system = 0] = fields.slice(11);
  return (user + system) * clockTick;
}

async function measure(
  name: string,
  operation: () => Promise<void>,
  pid: number,
  seconds: number,
): Promise<void> {
  for (let count = 0; count < warmUps; count++) await operation();
  const start = performance.now();
  const cpuAtStart = cpuTime(pid);
  let done = 0;
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < start + seconds * 1000) {
      await operation();
      done++;
    }
  }));
  const perSecond = done / ((performance.now() - start) / 1000);
  const microseconds = (cpuTime(pid) - cpuAtStart) * 1000 / done;
  console.log(
    `${name.padEnd(20)} ${perSecond.toFixed(0).padStart(8)} per second   ` +
      `${microseconds.toFixed(0).padStart(6)} µs of CPU each`,
  );
}

async function measureAll(issuer: string, measure: Measure): Promise<void> {
  const flow = await createFlow(issuer);
  const url = (path: string) => new URL(`${issuer}${path}`);

  await measure("flow", async () => void await flow());
  await measure("client credentials", async () => {
    const body = "grant_type=client_credentials&scope=read";
    expectOk(await send(url("/oauth2/token"), { method: "POST", headers: service, body }));
  });
  const refreshTokens: string[] = [];
  for (let count = 0; count < connections * 2; count++) {
    refreshTokens.push((await flow()).refresh_token);
  }
  await measure("refresh", async () => {
    const body = `grant_type=refresh_token&refresh_token=${refreshTokens.shift()}`;
    const response = await send(url("/oauth2/token"), { method: "POST", headers: web, body });
    refreshTokens.push(readTokens(response).refresh_token);
  });
  const { access_token } = await flow();
  await measure("introspect", async () => {
    const body = `token=${access_token}`;
    const options = { method: "POST", headers: service, body };
    const response = await send(url("/oauth2/introspect"), options);
    expect(response.text.includes('"active":true'), response);
  });
  await measure("userinfo", async () => {
    const headers = { Authorization: `Bearer ${access_token}` };
    expectOk(await send(url("/oauth2/userinfo"), { headers }));
  });
  await measure("discovery", async () => {
    expectOk(await send(url("/.well-known/openid-configuration")));
  });
}

/** Signs a user in once, and returns a function that gets a code and redeems it. */
async function createFlow(issuer: string): Promise<() => Promise<Tokens>> {
  const redirectUri = `${issuer}/authorized`;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "demo-web",
    redirect_uri: redirectUri,
    scope: "openid profile read",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const authorizeUrl = new URL(`${issuer}/oauth2/authorize?${query}`);
  const tokenUrl = new URL(`${issuer}/oauth2/token`);
  const Cookie = await signIn(issuer, authorizeUrl);
  return async () => {
    const authorized = await send(authorizeUrl, { headers: { Cookie } });
    const code = /[?&]code=([^&]+)/.exec(authorized.location)?.[1] ?? "";
    expect(code !== "", authorized);
    const fields = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const body = `${new URLSearchParams(fields)}`;
    return readTokens(await send(tokenUrl, { method: "POST", headers: web, body }));
  };
}

/** Returns the cookies of a browser that is signed in. */
async function signIn(issuer: string, authorizeUrl: URL): Promise<string> {
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(`${issuer}/oauth2/`),
  );
  await browser.authorize(authorizeUrl.href);
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Sends a request as cheaply as the generator can. */
function send(url: URL, options: SendOptions = {}): Promise<BenchResponse> {
  const { method = "GET", headers = {}, body } = options;
  const form = body === undefined
    ? {}
    : { "Content-Type": formType, "Content-Length": `${body.length}` };
  const target = {
    agent,
    host: "127.0.0.1",
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: { Host: url.host, ...form, ...headers },
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(target, (response) => {
      const { statusCode: status = 0, headers: { location = "" } } = response;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => text += chunk);
      response.on("end", () => resolve({ status, location, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function readTokens(response: BenchResponse): Tokens {
  expectOk(response);
  return JSON.parse(response.text);
}

function expectOk(response: BenchResponse): void {
  expect(response.status === 200, response);
}

function expect(condition: boolean, { status, location, text }: BenchResponse): void {
  if (!condition) throw new Error(`Unexpected: ${status} ${location} ${text.slice(0, 200)}`);
}
