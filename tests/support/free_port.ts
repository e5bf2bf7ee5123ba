import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns a port that is free, and that no other test gets until this process ends. The system
 * gives none of these to connections and to servers that take any port.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await reserve(port) && await isFree(port)) return port;
  }
}

/** Reserves a port among tests: each takes the same number for UDP, which none of them uses. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").bind(port, "127.0.0.1").unref();
  return await once(socket, "listening").then(() => true, () => false);
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
