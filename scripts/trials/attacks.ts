import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { withTimeout } from "../../src/server/util/time/promises.ts";
import { readForm } from "../../tests/support/browser.ts";
import {
  formPost,
  openRawConnection,
  type RawConnection,
  rawGet,
} from "../../tests/support/raw_connection.ts";
import { binary, fetched } from "../downloads.ts";
import { service } from "./directory.ts";
import type { TrialServer } from "./server.ts";

/** What one network does to make others wait. */
export interface Attack {
  name: string;
  /** Begins it. The result ends it, and returns how often the attacker has seen what. */
  begin(server: TrialServer): Promise<() => Promise<Record<string, number>>>;
}

/** A request, as autocannon reads it: each `[<id>]` becomes another text. */
interface FloodRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The network of the attacker. */
const attacker = "203.0.113.66";

/** A modest flood: its connections, and how many requests all of them send in a second. */
const modest = { connections: 16, overallRate: 100 };

/** A slow body gets one more byte so often, in milliseconds; so many are sent at a time. */
const drip = 500;
const slowBodies = 100;

/** How long a server may take to respond, or to end slow bodies, in milliseconds. */
const timeout = 90_000;

/** How many connections are opened at a time: the queue of a listener has an end. */
const batch = 100;

const form =
  `grant_type=client_credentials&client_id=${service.id}&client_secret=${service.secret}`;

/** A request that costs a server some work. */
export const tokenRequest = `${formPost("/oauth2/token", form.length)}${form}`;

const registration = {
  redirect_uris: ["https://app.example/cb"],
  token_endpoint_auth_method: "none",
  client_name: "Flood [<id>]",
};

const registrations: FloodRequest[] = [{
  method: "POST",
  path: "/oauth2/register",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(registration),
}];

/** Requests of clients, for documents and with tokens that do not exist. */
const lookups: FloodRequest[] = [
  { path: "/oauth2/authorize?client_id=client-[<id>]" },
  // A private address: nothing is sent anywhere.
  { path: "/oauth2/authorize?client_id=https%3A%2F%2F10.0.0.1%2Fclient-[<id>]" },
  { path: "/oauth2/userinfo", headers: { Authorization: "Bearer token-[<id>]" } },
  {
    method: "POST",
    path: "/oauth2/token",
    body: "client_id=client-[<id>]&grant_type=refresh_token",
  },
];

/**
 * Attacks beside which an honest user hardly waits, with so many idle connections. Slow bodies last
 * until the server has ended each, if that is asked for.
 */
export function modestAttacks(connections: number, untilEnded: boolean): Attack[] {
  return [
    flood("a flood of registrations", modest, () => registrations),
    signIns(modest.overallRate),
    flood("a flood of lookups of unknown clients, documents and tokens", modest, () => lookups),
    { name: "slow bodies", begin: (server) => sendSlowBodies(server, untilEnded) },
    { name: "idle connections", begin: (server) => holdOpen(server, connections) },
  ];
}

/** A flood of sign-ins with wrong passwords. */
export function signIns(overallRate: number): Attack {
  const options = { ...modest, overallRate };
  return flood("a flood of sign-ins with wrong passwords", options, async (server) => {
    const kit = server.kit(attacker);
    const browser = kit.browser();
    const { action, hidden } = readForm(await browser.open(kit.authorizationUrl()), "sign-in");
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    return Array.from({ length: 7 }, (_, n) => ({
      method: "POST",
      path: action.slice(kit.issuer.length),
      headers: { Cookie: cookies.join("; ") },
      body: `${new URLSearchParams({ ...hidden, username: `user-${n}`, password: "wrong" })}`,
    }));
  });
}

/** Connections that request a token as soon as they have the response to the request before. */
export function busyConnections(name: string, options: object): Attack {
  return flood(name, options, () => [{ method: "POST", path: "/oauth2/token", body: form }]);
}

/**
 * Requests of autocannon, with its options. What was seen is how often each status came in a second.
 * The process is not the one that measures others.
 */
function flood(
  name: string,
  options: object,
  requestsTo: (server: TrialServer) => FloodRequest[] | Promise<FloodRequest[]>,
): Attack {
  return {
    name,
    async begin(server) {
      const type = "application/x-www-form-urlencoded";
      const all = {
        url: `http://127.0.0.1:${server.port}`,
        headers: { "Content-Type": type, "X-Forwarded-For": attacker },
        requests: await requestsTo(server),
        idReplacement: true,
        ...options,
      };
      const script = `${await fetched("scripts/trials/flood")}/flood.mjs`;
      const child = spawn(await binary("node@24"), [script, JSON.stringify(all)], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const createError = () => new Error(`The server does not respond to ${name}.`);
      await withTimeout(timeout, lines.next(), createError);
      return async () => {
        child.stdin.end();
        return JSON.parse(`${(await lines.next()).value}`);
      };
    },
  };
}

async function sendSlowBodies({ port }: TrialServer, untilEnded: boolean) {
  const opening = Array.from({ length: slowBodies }, () => openRawConnection(port));
  const connections = await Promise.all(opening);
  const send = (text: string) => connections.forEach((connection) => connection.send(text));
  send(formPost("/oauth2/token", 10_000));
  const timer = setInterval(() => send("x"), drip);
  return async () => {
    // On Deno, the connection itself stays open until the client closes it.
    const responses = Promise.all(connections.map(({ until }) => until(/^HTTP/)));
    const createError = () => new Error("The server does not end slow bodies.");
    if (untilEnded) await withTimeout(timeout, responses, createError);
    clearInterval(timer);
    const ended = connections.filter(({ received }) => received().startsWith("HTTP/1.1 408 "));
    for (const { destroy } of connections) destroy();
    return { bodies: slowBodies, "408": ended.length };
  };
}

/** Opens connections that send nothing more. Half of them have been used once. */
async function holdOpen({ port }: TrialServer, count: number) {
  const open = new Set<RawConnection>();
  const hold = async (n: number) => {
    const connection = await openRawConnection(port);
    open.add(connection);
    const ended = connection.ended.then(() => open.delete(connection));
    if (n % 2 === 0) return;
    connection.send(rawGet("/health"));
    await Promise.race([connection.until(/^HTTP/), ended]);
  };
  for (let opened = 0; opened < count; opened += batch) {
    const next = Array.from({ length: Math.min(batch, count - opened) }, (_, n) => hold(n));
    const createError = () => new Error("The server does not respond on new connections.");
    await withTimeout(timeout, Promise.allSettled(next), createError);
  }
  const opened = open.size;
  return async () => {
    const left = open.size;
    for (const { destroy } of open) destroy();
    return { opened, "still open": left };
  };
}
