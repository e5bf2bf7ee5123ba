import type { TestLab } from "../../src/lab/testing/mod.ts";
import type { UserActions } from "./browser.ts";
import type { ProviderMetadata, ResponseBody, Tokens } from "./wire.ts";

/** A verifier and its challenge (RFC 7636, appendix B). */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Parameters; one that is undefined is not sent. */
export type Fields = Record<string, string | readonly string[] | undefined>;

export type RequestHeaders = Record<string, string>;

/** A response that was read to its end. */
export interface ReadResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; without members if it is something else. */
  body: ResponseBody;
}

/** An authorization response. */
type Callback = Pick<
  Awaited<ReturnType<TestLab["authorize"]>>,
  "callback" | "code" | "error" | "parameters"
>;

/** What a client needs of a server: a lab of the test kit has it, and the server of a kit. */
export interface ClientDoor {
  issuer: string;
  fetch(request: Request): Promise<Response>;
  authorize(url: string, actions?: UserActions): Promise<Callback>;
}

/** What a client sends with each request. By default it is demo-spa. */
export interface TestClientOptions {
  client_id?: string;
  client_secret?: string;
  redirect_uri?: string;
  scope?: string;
}

/**
 * A client of any server. Each function takes the server, and a test's changes to a valid request;
 * each request has the client's own credentials, unless the changes name or prove another client.
 */
export interface TestClient {
  /** Returns the parameters of an authorization request. */
  parameters(door: Pick<ClientDoor, "issuer">, changes?: Fields): Fields;
  authorizationUrl(door: Pick<ClientDoor, "issuer">, changes?: Fields): string;
  /** Pushes an authorization request. */
  push(door: ClientDoor, changes?: Fields, headers?: RequestHeaders): Promise<ReadResponse>;
  /** Signs a user in, who is alice unless a test names another. */
  authorize(door: ClientDoor, changes?: Fields, actions?: UserActions): Promise<Callback>;
  code(door: ClientDoor, changes?: Fields, actions?: UserActions): Promise<string>;
  /** Completes the whole flow. */
  tokens(door: ClientDoor, changes?: Fields, actions?: UserActions): Promise<Tokens>;
  sendForm(
    door: ClientDoor,
    path: string,
    fields: Fields,
    headers?: RequestHeaders,
  ): Promise<ReadResponse>;
  token(door: ClientDoor, fields: Fields, headers?: RequestHeaders): Promise<ReadResponse>;
  redeem: SendCredential;
  refresh: SendCredential;
  introspect: SendCredential;
  revoke: SendCredential;
  userinfo(door: ClientDoor, token: string, scheme?: string): Promise<ReadResponse>;
  metadata(door: ClientDoor): Promise<ProviderMetadata>;
}

type SendCredential = (
  door: ClientDoor,
  credential: string,
  changes?: Fields,
  headers?: RequestHeaders,
) => Promise<ReadResponse>;

/** A client whose functions know their server. */
export type BoundClient = { [Name in keyof TestClient]: Bound<TestClient[Name]> };

type Bound<Act> = Act extends (door: ClientDoor, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** Creates a client, for the labs and servers of all tests of a file. */
export function testClient(options: TestClientOptions = {}): TestClient {
  const { client_id = "demo-spa", client_secret, scope = "openid read" } = options;
  const redirectUri = ({ issuer }: Pick<ClientDoor, "issuer">) =>
    options.redirect_uri ?? `${issuer}/authorized`;
  const client: TestClient = {
    parameters(door, changes) {
      const request = { response_type: "code", client_id, redirect_uri: redirectUri(door), scope };
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      return { ...request, state: "a-state", ...pkce, ...changes };
    },
    authorizationUrl: (door, changes) =>
      `${door.issuer}/oauth2/authorize?${encode(client.parameters(door, changes))}`,
    push(door, changes, headers) {
      const secret = headers?.Authorization === undefined && { client_secret };
      const fields = { ...secret, ...client.parameters(door, changes) };
      return client.sendForm(door, "/oauth2/par", fields, headers);
    },
    authorize: (door, changes, actions = { user: "alice" }) =>
      door.authorize(client.authorizationUrl(door, changes), actions),
    async code(door, changes, actions) {
      const { code, parameters } = await client.authorize(door, changes, actions);
      if (code === undefined) throw new Error(`No code, but ${JSON.stringify(parameters)}.`);
      return code;
    },
    async tokens(door, changes, actions) {
      return (await client.redeem(door, await client.code(door, changes, actions))).body;
    },
    async sendForm(door, path, fields, headers = {}) {
      const names = ["client_id", "client_assertion"];
      const isOther = "Authorization" in headers || names.some((name) => name in fields);
      const body = encode({ ...!isOther && { client_id, client_secret }, ...fields });
      const url = door.issuer + path;
      return await read(await door.fetch(new Request(url, { method: "POST", headers, body })));
    },
    token: (door, fields, headers) => client.sendForm(door, "/oauth2/token", fields, headers),
    redeem(door, code, changes, headers) {
      const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri(door) };
      return client.token(door, { ...fields, code_verifier: verifier, ...changes }, headers);
    },
    refresh: (door, refresh_token, changes, headers) =>
      client.token(door, { grant_type: "refresh_token", refresh_token, ...changes }, headers),
    introspect: (door, token, changes, headers) =>
      client.sendForm(door, "/oauth2/introspect", { token, ...changes }, headers),
    revoke: (door, token, changes, headers) =>
      client.sendForm(door, "/oauth2/revoke", { token, ...changes }, headers),
    async userinfo(door, token, scheme = "Bearer") {
      const headers = { Authorization: `${scheme} ${token}` };
      return await read(
        await door.fetch(new Request(`${door.issuer}/oauth2/userinfo`, { headers })),
      );
    },
    async metadata({ issuer, fetch }) {
      const url = `${issuer}/.well-known/openid-configuration`;
      return (await read(await fetch(new Request(url)))).body;
    },
  };
  return client;
}

/** Gives each function of a client its server. */
export function bindClient(client: TestClient, door: ClientDoor): BoundClient {
  const functions = Object.entries(client) as Array<[string, (...all: unknown[]) => unknown]>;
  const bound = functions.map(([name, act]) => [name, act.bind(undefined, door)]);
  return Object.fromEntries(bound);
}

export function encode(fields: Fields): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) parameters.append(name, one);
  }
  return parameters;
}

export async function read(response: Response): Promise<ReadResponse> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, body: JSON.parse(text.startsWith("{") ? text : "{}") };
}
