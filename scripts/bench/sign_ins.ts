import { pbkdf2Passwords } from "../../src/server/config/passwords.ts";
import { createBrowser } from "../../tests/support/browser.ts";
import { type Connection, openConnection } from "./connection.ts";
import { client, user } from "./directory.ts";
import { type RunSettings, startHallpass } from "./servers.ts";
import type { Subject } from "./subject.ts";
import { authorizationPath, prepareWorkloads, type Workload } from "./workloads.ts";

const signInsAtOnce = 20;
/** How long each of the two measurements takes, in milliseconds. */
const duration = 10_000;
const goal = 5;

/** Measures how much slower a token is while many users sign in with a password. */
export async function benchSignIns(settings: Omit<RunSettings, "store">): Promise<void> {
  const server = await startHallpass({ ...settings, store: "memory", config: await userConfig() });
  const connection = await openConnection(server.port);
  try {
    const operations = await prepareWorkloads(server, connection.send);
    const operation = operations.get("client credentials");
    if (!operation) return;
    await medianTime(operation, connection);
    const alone = await medianTime(operation, connection);
    const signIns = keepSigningIn(server);
    const beside = await medianTime(operation, connection);
    const count = await signIns.stop();
    console.log(`client credentials, ${settings.runtime}, ${settings.alg}`);
    console.log(`median alone                ${alone.toFixed(2).padStart(9)} ms`);
    console.log(`beside ${signInsAtOnce} sign-ins at once  ${beside.toFixed(2).padStart(9)} ms`);
    console.log(`${(beside / alone).toFixed(1)} times as long; goal: at most ${goal} times`);
    console.log(`${(count / duration * 1000).toFixed(1)} sign-ins per second\n`);
  } finally {
    connection.close();
    await server.stop();
  }
}

/** A user whose password is hashed as in a real server, and senders told apart by a proxy. */
async function userConfig(): Promise<object> {
  const passwordHash = await pbkdf2Passwords.hash(user.password);
  return { users: [{ name: user.name, passwordHash }], trustedProxies: "loopback" };
}

/** Returns the median of as many operations, one after the other, as fit into the time. */
async function medianTime(
  operation: Workload["operation"],
  { send }: Connection,
): Promise<number> {
  const times: number[] = [];
  for (const end = performance.now() + duration; performance.now() < end;) {
    const start = performance.now();
    await operation(send);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** Keeps users signing in, each from a network of its own, until it is stopped. */
function keepSigningIn(server: Subject): { stop(): Promise<number> } {
  let isStopped = false;
  let count = 0;
  const users = Array.from({ length: signInsAtOnce }, async (_, at) => {
    while (!isStopped) {
      await signIn(server, `203.0.${at}.1`);
      count++;
    }
  });
  return {
    async stop() {
      isStopped = true;
      const finished = count;
      await Promise.all(users);
      return finished;
    },
  };
}

async function signIn(server: Subject, sender: string): Promise<void> {
  const origin = `http://localhost:${server.port}`;
  const browser = createBrowser((request) => {
    request.headers.set("X-Forwarded-For", sender);
    return fetch(request, { redirect: "manual" });
  }, (url) => !url.startsWith(origin));
  const url = origin + authorizationPath(server, client);
  await browser.authorize(url, { user: user.name, password: user.password });
}
