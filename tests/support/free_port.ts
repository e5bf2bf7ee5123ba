import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns a port that is free at this moment. The system gives none of these to connections and to
 * servers that take any port, so only another test could take it before it is used.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
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
