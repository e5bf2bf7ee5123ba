import { createHash, randomUUID } from "node:crypto";
import { basic } from "../../tests/support/flow_kit.ts";
import { firstMatch, present } from "../../tests/support/present.ts";
import { app, opaque, redirectUri, service, type TrialClient } from "../trials/directory.ts";
import type { BenchResponse, Form, Send } from "./connection.ts";

/** Something to measure. */
export type Operation = (send: Send) => Promise<unknown>;

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

/** Where a server has its endpoints. */
export interface Paths {
  authorize: string;
  token: string;
  introspect: string;
  userinfo: string;
  discovery: string;
  jwks: string;
}

/** The paths of Hallpass and of the floor. */
export const ownPaths: Paths = {
  authorize: "/oauth2/authorize",
  token: "/oauth2/token",
  introspect: "/oauth2/introspect",
  userinfo: "/oauth2/userinfo",
  discovery: "/.well-known/openid-configuration",
  jwks: "/oauth2/jwks",
};

/** What workloads know of a server. */
export interface MeasuredServer {
  paths: Paths;
  /** What the server cannot do. */
  without: readonly WorkloadName[];
  /** The cookies of a browser in which the user is signed in. */
  cookie: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** How many chains of refresh tokens there are: more than requests at a time. */
const chains = 32;

/** Prepares the workloads for a server, in whose browser a user has signed in. */
export async function prepareWorkloads(
  subject: MeasuredServer,
  send: Send,
): Promise<Map<WorkloadName, Operation>> {
  const { paths, without } = subject;
  const { token, flow } = createRequests(subject);
  const refreshTokens: string[] = [];
  for (let count = 0; count < chains; count++) {
    refreshTokens.push((await flow(send, app)).refresh_token);
  }
  const { access_token: accessToken } = await flow(send, app);
  const all: Record<WorkloadName, Operation> = {
    flow: (send) => flow(send, app),
    "opaque flow": (send) => flow(send, opaque),
    async refresh(send) {
      const refresh_token = present(refreshTokens.shift());
      const tokens = await token(send, app, { grant_type: "refresh_token", refresh_token });
      refreshTokens.push(tokens.refresh_token);
    },
    "client credentials": (send) =>
      token(send, service, { grant_type: "client_credentials", scope: "read" }),
    async introspect(send) {
      const { text } = await post(send, paths.introspect, service, { token: accessToken });
      firstMatch(text, /"active":(true)/);
    },
    userinfo: (send) => get(send, paths.userinfo, { Authorization: `Bearer ${accessToken}` }),
    discovery: (send) => get(send, paths.discovery),
    jwks: (send) => get(send, paths.jwks),
  };
  const measured = workloadNames.filter((name) => !without.includes(name));
  return new Map(measured.map((name) => [name, all[name]]));
}

/** Returns a flow on a server that nobody has asked for anything else. */
export function flowOf(subject: MeasuredServer): Operation {
  const { flow } = createRequests(subject);
  return (send) => flow(send, app);
}

function createRequests({ paths, cookie }: MeasuredServer) {
  const token = async (send: Send, client: TrialClient, form: Form): Promise<Tokens> =>
    JSON.parse((await post(send, paths.token, client, form)).text);
  const flow = async (send: Send, client: TrialClient) => {
    const headers = { Cookie: cookie };
    const verifier = newVerifier();
    const path = authorizationPath(paths, client, verifier);
    const { head } = expectOk(await send(path, { headers }));
    const code = firstMatch(head, /\r\nlocation:.*[?&]code=([^&\r]+)/i);
    return await token(send, client, {
      grant_type: "authorization_code",
      code: decodeURIComponent(code),
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  };
  return { token, flow };
}

/** Returns a code verifier: a client that repeats one breaks a rule, and a lab reports it. */
function newVerifier(): string {
  return randomUUID() + randomUUID();
}

/** Returns the path and query of an authorization request of a client. */
export function authorizationPath(
  paths: Paths,
  { id }: TrialClient,
  verifier = newVerifier(),
): string {
  const parameters = {
    response_type: "code",
    client_id: id,
    redirect_uri: redirectUri,
    scope: id === app.id ? "openid profile" : "profile",
    state: randomUUID(),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  return `${paths.authorize}?${new URLSearchParams(parameters)}`;
}

async function get(send: Send, path: string, headers?: Record<string, string>) {
  return expectOk(await send(path, { headers }));
}

async function post(send: Send, path: string, { id, secret }: TrialClient, form: Form) {
  return expectOk(await send(path, { headers: basic(id, secret), form }));
}

function expectOk(response: BenchResponse): BenchResponse {
  const { status, head, text } = response;
  if (status < 400) return response;
  throw new Error(`Unexpected response:\n${head}\n\n${text.slice(0, 500)}`);
}
