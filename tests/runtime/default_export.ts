// A server as the default export, which `deno serve` and Bun run.
import { createServer, type Server } from "../../src/server/mod.ts";

const server: Server = createServer({
  issuer: "http://localhost:8000",
  clients: [{ id: "service", secret: "service-secret" }],
  scopes: { read: "Read" },
});

export default server;
