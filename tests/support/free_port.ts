import { once } from "node:events";
import { createServer } from "node:net";

/** Returns a port that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address === "object" && address) return address.port;
  throw new Error("The server has no port.");
}
