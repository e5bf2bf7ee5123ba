import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { withTimeout } from "../../src/server/util/time/promises.ts";
import type { FlowKit } from "../../tests/support/flow_kit.ts";
import { formPost, openRawConnection, rawGet } from "../../tests/support/raw_connection.ts";
import { register } from "../../tests/support/registration.ts";
import { binary, fetched } from "../downloads.ts";
import { service } from "./directory.ts";
import { repeat } from "./numbers.ts";
import type { TrialServer } from "./server.ts";

/** What one network does to make others wait. */
export interface Attack {
  name: string;
  /** Begins it. The result ends it, and returns how often the attacker has seen what. */
  begin(server: TrialServer): Promise<() => Promise<Record<string, number>>>;
}

/** The network of the attacker. */
const attacker = "203.0.113.66";

/** How many requests of a flood are under way at a time, and how many it sends in a second. */
const workers = 16;
const usualPace = 100;

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

/**
 * Attacks beside which an honest user hardly waits, with so many idle connections. Slow bodies last
 * until the server has ended each, if that is asked for.
 */
export function modestAttacks(connections: number, untilEnded: boolean): Attack[] {
  return [
    flood(
      "registrations",
      (kit) => async (n) => (await register(kit, { client_name: `Flood ${n}` })).status,
    ),
    signIns(usualPace),
    flood("lookups of unknown clients, documents and tokens", (kit) => async (n) => {
      const response = await lookUp(kit, n);
      await response.arrayBuffer();
      return response.status;
    }),
    { name: "slow bodies", begin: (server) => sendSlowBodies(server, untilEnded) },
    { name: "idle connections", begin: (server) => holdOpen(server, connections) },
  ];
}

/** A flood of sign-ins with wrong passwords. */
export function signIns(perSecond: number): Attack {
  const open = (kit: FlowKit) => {
    const browser = kit.browser();
    const page = browser.open(kit.authorizationUrl());
    return async (n: number) => {
      const fields = { username: `user-${n % 7}`, password: "wrong" };
      return (await browser.submit(await page, "sign-in", fields)).status;
    };
  };
  return flood("sign-ins with wrong passwords", open, perSecond);
}

/**
 * Connections that send a request as soon as they have the response to the one before, with options
 * of autocannon. What was seen is how often each status came in a second. The process is not the one
 * that measures others.
 */
export function busyConnections(name: string, options: object): Attack {
  const type = "application/x-www-form-urlencoded";
  const headers = { "Content-Type": type, "X-Forwarded-For": attacker };
  return {
    name,
    async begin({ port }) {
      const url = `http://127.0.0.1:${port()}/oauth2/token`;
      const all = JSON.stringify({ url, method: "POST", headers, body: form, ...options });
      const script = `${await fetched("scripts/trials/flood")}/flood.mjs`;
      const child = spawn(await binary("node@24"), [script, all], {
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

/** Sends requests at a steady pace. */
function flood(
  what: string,
  open: (kit: FlowKit) => (n: number) => Promise<number>,
  perSecond = usualPace,
): Attack {
  return {
    name: `a flood of ${what}`,
    async begin(server) {
      const sendOne = open(server.kit(attacker));
      const statuses: Record<string, number> = {};
      let isStopped = false;
      const act = async (n: number) => {
        const status = await sendOne(n);
        statuses[status] = (statuses[status] ?? 0) + 1;
      };
      const interval = 1000 * workers / perSecond;
      const sending = repeat(act, { isOver: () => isStopped, workers, interval });
      return async () => {
        isStopped = true;
        await sending;
        return statuses;
      };
    },
  };
}

function lookUp(kit: FlowKit, n: number): Promise<Response> {
  const authorize = (client_id: string) =>
    kit.get(kit.authorizationUrl({ client_id }).slice(kit.issuer.length));
  if (n % 4 === 0) return authorize(`client-${n}`);
  // A private address: nothing is sent anywhere.
  if (n % 4 === 1) return authorize(`https://10.0.0.1/client-${n}`);
  if (n % 4 === 2) return kit.get("/oauth2/userinfo", { Authorization: `Bearer token-${n}` });
  return kit.post("/oauth2/token", { client_id: `client-${n}`, grant_type: "refresh_token" });
}

async function sendSlowBodies({ port }: TrialServer, untilEnded: boolean) {
  const opening = Array.from({ length: slowBodies }, () => openRawConnection(port()));
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
  const open = new Set<Socket>();
  const hold = (n: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(port(), "127.0.0.1", () => {
        open.add(socket);
        if (n % 2 === 0) return resolve();
        socket.write(rawGet("/health"));
        socket.once("data", () => resolve());
      });
      socket.on("error", () => {}).on("close", () => {
        open.delete(socket);
        resolve();
      });
    });
  for (let opened = 0; opened < count; opened += batch) {
    const next = Array.from({ length: Math.min(batch, count - opened) }, (_, n) => hold(n));
    const createError = () => new Error("The server does not respond on new connections.");
    await withTimeout(timeout, Promise.all(next), createError);
  }
  const opened = open.size;
  return async () => {
    const left = open.size;
    for (const socket of open) socket.destroy();
    return { opened, "still open": left };
  };
}
