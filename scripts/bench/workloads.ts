import { challenge, verifier } from "../../tests/support/flow_kit.ts";
import { app, opaque, redirectUri, service, type TrialClient } from "../trials/directory.ts";
import type { BenchResponse, Send } from "./connection.ts";
import type { Paths, Subject } from "./subject.ts";

/** Something to measure. */
export type Operation = (send: Send) => Promise<void>;

/** The workloads, in the order in which they are printed. */
export const workloadNames = [
  "flow",
  "client credentials",
  "refresh",
  "introspect",
  "userinfo",
  "discovery",
  "jwks",
  "opaque flow",
] as const;

/** The name of a workload. */
export type WorkloadName = typeof workloadNames[number];

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface RequestOptions {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  form?: Record<string, string>;
}

/** How many chains of refresh tokens there are: more than requests at a time. */
const chains = 32;

/** Prepares the workloads for a server, in whose browser a user has signed in. */
export async function prepareWorkloads(
  subject: Subject,
  send: Send,
): Promise<Map<WorkloadName, Operation>> {
  const { paths } = subject;
  const refreshTokens: string[] = [];
  for (let count = 0; count < chains; count++) {
    refreshTokens.push((await flow(subject, app, send)).refresh_token);
  }
  const { access_token: accessToken } = await flow(subject, app, send);
  const all: Record<WorkloadName, Operation> = {
    flow: async (send) => void await flow(subject, app, send),
    "opaque flow": async (send) => void await flow(subject, opaque, send),
    async refresh(send) {
      const form = { grant_type: "refresh_token", refresh_token: refreshTokens.shift() ?? "" };
      const tokens = readTokens(await post(subject, send, paths.token, app, form));
      refreshTokens.push(tokens.refresh_token);
    },
    async "client credentials"(send) {
      const form = { grant_type: "client_credentials", scope: "read" };
      checkOk(await post(subject, send, paths.token, service, form));
    },
    async introspect(send) {
      const form = { token: accessToken };
      const response = await post(subject, send, paths.introspect, service, form);
      check(response.text.includes('"active":true'), response);
    },
    async userinfo(send) {
      const headers = { Authorization: `Bearer ${accessToken}` };
      checkOk(await send(requestText(subject, paths.userinfo, { headers })));
    },
    discovery: async (send) => checkOk(await send(requestText(subject, paths.discovery))),
    jwks: async (send) => checkOk(await send(requestText(subject, paths.jwks))),
  };
  const measured = workloadNames.filter((name) => !subject.without.includes(name));
  return new Map(measured.map((name) => [name, all[name]]));
}

/** The path and query of the authorization request of a client. */
export function authorizationPath(paths: Paths, { id }: TrialClient): string {
  const parameters = {
    response_type: "code",
    client_id: id,
    redirect_uri: redirectUri,
    scope: id === app.id ? "openid profile" : "profile",
    state: "a-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  return `${paths.authorize}?${new URLSearchParams(parameters)}`;
}

/** Gets a code in a browser with a session, and redeems it. */
async function flow(subject: Subject, client: TrialClient, send: Send): Promise<Tokens> {
  const headers = { Cookie: subject.cookie };
  const authorized = await send(
    requestText(subject, authorizationPath(subject.paths, client), { headers }),
  );
  const code = /\r\nlocation:.*[?&]code=([^&\r]+)/i.exec(authorized.head)?.[1] ?? "";
  check(code !== "", authorized);
  const form = {
    grant_type: "authorization_code",
    code: decodeURIComponent(code),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return readTokens(await post(subject, send, subject.paths.token, client, form));
}

function post(
  subject: Subject,
  send: Send,
  path: string,
  { id, secret }: TrialClient,
  form: Record<string, string>,
): Promise<BenchResponse> {
  const headers = { Authorization: `Basic ${btoa(`${id}:${secret}`)}` };
  return send(requestText(subject, path, { method: "POST", headers, form }));
}

function requestText(
  { port }: Subject,
  path: string,
  { method = "GET", headers = {}, form }: RequestOptions = {},
): string {
  const body = form ? `${new URLSearchParams(form)}` : "";
  const all = {
    Host: `localhost:${port}`,
    ...headers,
    ...form && {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": `${body.length}`,
    },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

function readTokens(response: BenchResponse): Tokens {
  checkOk(response);
  return JSON.parse(response.text);
}

function checkOk(response: BenchResponse): void {
  check(response.status === 200, response);
}

function check(condition: boolean, { head, text }: BenchResponse): void {
  if (!condition) throw new Error(`Unexpected response:\n${head}\n\n${text.slice(0, 500)}`);
}
