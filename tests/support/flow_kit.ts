import { decodeJwt } from "jose";
import type { Config, Server, ServerEvent } from "../../src/server/mod.ts";
import { type Browser, createBrowser, type UserActions } from "./browser.ts";
import {
  bindClient,
  type BoundClient,
  type ClientDoor,
  encode,
  type Fields,
  type RequestHeaders,
  testClient,
} from "./test_client.ts";
import type { Claims } from "./wire.ts";

export * from "./test_client.ts";

/** What a kit needs of a server, which may be in another process. */
export type KitServer = Pick<Server, "issuer" | "fetch">;

/** A server, what its users do, and demo-spa as its client. */
export interface FlowKit<Own extends KitServer = KitServer> extends Omit<BoundClient, "authorize"> {
  server: Own;
  issuer: string;
  clock: { now: number; advance(seconds: number): void };
  events: ServerEvent[];
  /** The address of the sender; undefined if the server does not know it. */
  address?: string | undefined;
  /** The certificates that the sender proves, in DER, its own first. */
  certificates?: Uint8Array[] | undefined;
  /** Opens a browser, which may have the cookies of another one. */
  browser(other?: Browser): Browser;
  /** Completes an authorization request and returns the parameters of the callback. */
  authorize(changes?: Fields, actions?: UserActions, browser?: Browser): Promise<URLSearchParams>;
  /** Sends a form as it is, without the credentials of a client. */
  post(path: string, fields: Fields, headers?: RequestHeaders): Promise<Response>;
  get(path: string, headers?: RequestHeaders): Promise<Response>;
  request(path: string, init: RequestInit): Promise<Response>;
  /** Sends an authorization request, and follows no redirect. */
  ask(changes?: Fields): Promise<Response>;
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

/** A request, with what the runtimes note about its peer. */
interface RequestOfPeer {
  ip: string | undefined;
  certificates: Uint8Array[] | undefined;
}

/** Creates a kit around a server, for clients with a redirect URI. */
export function createKit<Own extends KitServer>(
  server: Own,
  { clock, events }: KitState,
  redirectUri: string = `${server.issuer}/authorized`,
): FlowKit<Own> {
  const { issuer } = server;
  const send = (request: Request) =>
    server.fetch(Object.assign<Request, RequestOfPeer>(request, senderOf(kit)));
  const isExternal = (url: string) => !url.startsWith(`${issuer}/oauth2/`);

  const door: ClientDoor = {
    issuer,
    fetch: send,
    authorize: (url, actions) => authorizeIn(kit.browser(), url, actions),
  };
  const client = testClient({ redirect_uri: redirectUri, scope: "openid profile read" });

  const kit: FlowKit<Own> = {
    ...bindClient(client, door),
    server,
    issuer,
    clock,
    events,
    browser: (other) => createBrowser(send, isExternal, new Map(other?.cookies)),
    async authorize(changes, actions, browser = kit.browser()) {
      return new URL(await browser.authorize(kit.authorizationUrl(changes), actions)).searchParams;
    },
    post: (path, fields, headers = {}) =>
      kit.request(path, { method: "POST", headers, body: encode(fields) }),
    get: (path, headers = {}) => kit.request(path, { headers }),
    request: (path, init) => send(new Request(issuer + path, init)),
    ask: (changes) => send(new Request(kit.authorizationUrl(changes))),
  };
  return kit;
}

function senderOf({ address: ip, certificates }: FlowKit): RequestOfPeer {
  return { ip, certificates };
}

/** Completes an authorization request in a browser. */
export async function authorizeIn(
  browser: Browser,
  url: string,
  actions?: UserActions,
): ReturnType<ClientDoor["authorize"]> {
  const callback = await browser.authorize(url, actions);
  const parameters = Object.fromEntries(new URL(callback).searchParams);
  return { callback, parameters, code: parameters.code, error: parameters.error };
}

/** Returns the error of an authorization request; undefined if a user may sign in. */
export async function errorAt(
  { ask, issuer }: Pick<FlowKit, "ask" | "issuer">,
  changes: Fields,
): Promise<string | undefined> {
  const location = (await ask(changes)).headers.get("Location") ?? "";
  return new URL(location, issuer).searchParams.get("error") ?? undefined;
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
