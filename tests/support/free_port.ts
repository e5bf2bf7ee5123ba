import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** How many ports a process has for its tests. */
const count = 100;

/** The first of them. Deno finds a socket that a test leaves open, so this one is opened before. */
const first = await reserveBlock();
let given = 0;

/**
 * Returns a port that is free, and that no test of another process gets. The system gives none of
 * these to connections and to servers that take any port.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + given++ % count;
    if (await isFree(port)) return port;
  }
}

/** Reserves ports among processes: each takes the first number for UDP, which no test uses. */
async function reserveBlock(): Promise<number> {
  for (;;) {
    const port = 20_000 + count * Math.floor(Math.random() * 120);
    const socket = createSocket("udp4").bind(port, "127.0.0.1").unref();
    if (await once(socket, "listening").then(() => true, () => false)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
