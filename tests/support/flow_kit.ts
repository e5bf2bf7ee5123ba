import { decodeJwt } from "jose";
import type { Config, Server, ServerEvent } from "../../src/server/mod.ts";
import { type Browser, createBrowser, type UserActions } from "./browser.ts";
import { present } from "./present.ts";
import type { Claims, ResponseBody, Tokens } from "./wire.ts";

/** A verifier and its challenge (RFC 7636, appendix B). */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Parameters; one that is undefined is not sent. */
export type Fields = Record<string, string | string[] | undefined>;

/** What a kit needs of a server, which may be in another process. */
export type KitServer = Pick<Server, "issuer" | "fetch">;

/** A server, and what its users and clients do. */
export interface FlowKit<Own extends KitServer = KitServer> {
  server: Own;
  issuer: string;
  clock: { now: number; advance(seconds: number): void };
  events: ServerEvent[];
  /** The address of the sender; undefined if the server does not know it. */
  address?: string | undefined;
  browser(): Browser;
  /** Returns the URL of a valid authorization request of demo-spa, with a test's changes. */
  authorizationUrl(changes?: Fields): string;
  /** Completes an authorization request and returns the parameters of the callback. */
  authorize(changes?: Fields, actions?: UserActions, browser?: Browser): Promise<URLSearchParams>;
  /** Returns a code that demo-spa can redeem. */
  code(changes?: Fields, actions?: UserActions): Promise<string>;
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Redeems a code as demo-spa, with a test's changes. */
  redeem(code: string, changes?: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
  /** Completes the whole flow. */
  tokens(changes?: Fields, actions?: UserActions): Promise<Tokens>;
  token(fields: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
}

/** A response that was read to its end. */
export interface ReadResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; without members if it is something else. */
  body: ResponseBody;
}

export const startOfTime = Date.UTC(2026, 0, 1);

/** The clock and the events of a server. */
export type KitState = Pick<FlowKit, "clock" | "events">;

/** The parts of a configuration that a kit brings. */
export interface KitParts extends KitState {
  config: Required<Pick<Config, "issuer" | "now" | "onEvent">>;
}

/** Creates the clock and the events of a kit, and the parts of a configuration that use them. */
export function kitParts(): KitParts {
  const clock = {
    now: startOfTime,
    advance: (seconds: number) => void (clock.now += seconds * 1000),
  };
  const events: ServerEvent[] = [];
  const config = {
    issuer: "https://hallpass.test",
    now: () => clock.now,
    onEvent: (event: ServerEvent) => void events.push(event),
  };
  return { clock, events, config };
}

/** A request, with the address of its peer as the runtimes note it. */
interface RequestOfPeer {
  ip: string | undefined;
}

/** Creates a kit around a server, for clients with a redirect URI. */
export function createKit<Own extends KitServer>(
  server: Own,
  { clock, events }: KitState,
  redirectUri: string = `${server.issuer}/authorized`,
): FlowKit<Own> {
  const { issuer } = server;
  const send = (request: Request) =>
    server.fetch(Object.assign<Request, RequestOfPeer>(request, { ip: kit.address }));
  const isExternal = (url: string) => !url.startsWith(`${issuer}/oauth2/`);

  const kit: FlowKit<Own> = {
    server,
    issuer,
    clock,
    events,
    browser: () => createBrowser(send, isExternal),
    authorizationUrl(changes = {}) {
      const fields: Fields = {
        response_type: "code",
        client_id: "demo-spa",
        redirect_uri: redirectUri,
        scope: "openid profile read",
        state: "a-state",
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...changes,
      };
      return `${issuer}/oauth2/authorize?${encode(fields)}`;
    },
    async authorize(changes, actions, browser = kit.browser()) {
      return new URL(await browser.authorize(kit.authorizationUrl(changes), actions)).searchParams;
    },
    async code(changes, actions) {
      return present((await kit.authorize(changes, actions)).get("code"));
    },
    post(path, fields, headers = {}) {
      const form = { "Content-Type": "application/x-www-form-urlencoded", ...headers };
      return send(
        new Request(issuer + path, {
          method: "POST",
          headers: form,
          body: encode(fields).toString(),
        }),
      );
    },
    get: (path, headers = {}) => send(new Request(issuer + path, { headers })),
    async token(fields, headers) {
      return await read(await kit.post("/oauth2/token", fields, headers));
    },
    redeem(code, changes = {}, headers) {
      const fields = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: "demo-spa",
      };
      return kit.token({ ...fields, ...changes }, headers);
    },
    async tokens(changes, actions) {
      return (await kit.redeem(await kit.code(changes, actions))).body;
    },
  };
  return kit;
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

type AuthorizationHeader = { Authorization: string };

/** Returns the header of HTTP Basic, form-encoded as OAuth requires. */
export function basic(id: string, secret: string): AuthorizationHeader {
  return {
    Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
  };
}

export const web = basic("demo-web", "demo-web-secret");
export const service = basic("demo-service", "demo-service-secret");

/** Reads the claims of a JWT without verifying it. */
export function claimsOf<OwnClaims = object>(jwt: string): Claims & OwnClaims {
  return decodeJwt<Claims & OwnClaims>(jwt);
}

/**
 * Returns whether a token is active, as the one demo client sees that may introspect all tokens.
 */
export async function isActive(
  kit: FlowKit,
  token: string,
  headers: AuthorizationHeader = service,
): Promise<boolean> {
  return (await read(await kit.post("/oauth2/introspect", { token }, headers))).body.active;
}

/** Refreshes tokens as demo-spa, with a test's changes. */
export function refresh(
  kit: FlowKit,
  refresh_token: string,
  changes: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  return kit.token({
    grant_type: "refresh_token",
    refresh_token,
    client_id: "demo-spa",
    ...changes,
  }, headers);
}
