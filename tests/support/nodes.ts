import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { binary } from "../../scripts/downloads.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { challenge, verifier } from "./flow_kit.ts";
import { compileProgram } from "./package.ts";
import { present } from "./present.ts";
import { commandFor, type Program, runProgram, startProgram } from "./program.ts";
import type { Tokens } from "./wire.ts";

/** The issuer of all nodes, as behind a proxy that spreads the requests. Nothing listens there. */
const issuer = "http://localhost:1";
const redirect_uri = "https://app.test/callback";
const client = { id: "app", secret: "a-secret-of-32-characters-at-least" };

const config = {
  issuer,
  clients: [{ ...client, redirectUris: [redirect_uri], introspect: "any" }],
  users: [{ name: "alice", password: "alice-password" }],
};

/** A server process. */
export interface Node {
  runtime: string;
  program: Program;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Servers in processes of their own that share a store. */
export interface Nodes {
  /** One on each runtime, and one from the compiled program. */
  all: Node[];
  /** Another one, which a test may kill. */
  victim: Node;
  /** Runs a command of the program on the same store. */
  command(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Asks all to stop, and returns their exit codes. */
  stop(): Promise<Array<number | null>>;
}

/** Starts five servers at once. */
export async function startNodes(store: string, folder: string): Promise<Nodes> {
  const options = ["--config", await writeConfiguration(folder), "--store", store];
  const main = present(process.env.HALLPASS_TEST_MAIN);
  const commands: Record<string, string[]> = {
    deno: commandFor("src/main.ts"),
    bun: [await binary("bun@1"), "src/main.ts"],
    node: [await binary("node@24"), main],
    binary: [await compileProgram()],
  };
  const start = (runtime: string) => startNode(runtime, present(commands[runtime]), options);
  const [victim, ...all] = await Promise.all(["bun", ...Object.keys(commands)].map(start));
  return {
    all,
    victim: present(victim),
    command: (...args) => runProgram([...args, ...options]),
    stop: () => Promise.all(all.map(({ program }) => program.stop())),
  };
}

/** Writes the configuration that all nodes share to a folder, and returns the path of the file. */
async function writeConfiguration(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "hallpass.json");
  await writeFile(file, JSON.stringify(config));
  return file;
}

/** Starts one server, with the options of `hallpass serve`. */
async function startNode(
  runtime: string,
  command: string[],
  options: readonly string[],
): Promise<Node> {
  const program = await startProgram(["serve", ...options, "--port", "0"], {}, command);
  const origin = `http://localhost:${await portOf(program)}`;
  return { runtime, program, fetch: (path, init) => fetch(origin + path, init) };
}

/** Reads the port from the warning that it is not the issuer's, which follows the ready line. */
async function portOf({ output }: Program): Promise<string> {
  while (true) {
    const port = /listens on port (\d+)/.exec(output())?.[1];
    if (port !== undefined) return port;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sends each request to the next node. */
export function inTurn(nodes: readonly Node[]): Node["fetch"] {
  let turn = 0;
  return (path, init) => present(nodes[turn++ % nodes.length]).fetch(path, init);
}

/** A browser whose every request goes to the next node. */
export function browserOn(fetch: Node["fetch"]): Browser {
  const send = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : null;
    const { method, headers } = request;
    return await fetch(pathname + search, { method, headers, body, redirect: "manual" });
  };
  return createBrowser(send, (url) => !url.startsWith(issuer));
}

/** Signs a user in, and returns a code. */
export async function codeFrom(browser: Browser, user = "alice"): Promise<string> {
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri,
    scope: "openid offline_access",
    prompt: "consent",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  const url = `${issuer}/oauth2/authorize?${new URLSearchParams(parameters)}`;
  const callback = await browser.authorize(url, { user, password: `${user}-password` });
  return present(new URL(callback).searchParams.get("code"));
}

/** The response of the token endpoint. */
export interface TokenResponse {
  status: number;
  headers: Headers;
  body: Tokens;
}

async function post(
  fetch: Node["fetch"],
  path: string,
  fields: Record<string, string>,
): Promise<TokenResponse> {
  const response = await fetch(path, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams(fields),
  });
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

export function redeem(fetch: Node["fetch"], code: string): Promise<TokenResponse> {
  const fields = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
  return post(fetch, "/oauth2/token", fields);
}

export function refresh(fetch: Node["fetch"], refresh_token: string): Promise<TokenResponse> {
  return post(fetch, "/oauth2/token", { grant_type: "refresh_token", refresh_token });
}

export function revoke(fetch: Node["fetch"], token: string): Promise<Response> {
  return fetch("/oauth2/revoke", {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams({ token }),
  });
}

/** Whether a node says that a token is active. Rejects if the node cannot say. */
export async function isActive(fetch: Node["fetch"], token: string): Promise<boolean> {
  const { status, body } = await post(fetch, "/oauth2/introspect", { token });
  if (status !== 200) throw new Error(`The introspection endpoint responds with ${status}.`);
  return "active" in body && body.active === true;
}
