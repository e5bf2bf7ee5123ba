// A server as the default export, which `deno serve` and Bun run.
import { createServer } from "../../src/mod.ts";

export default createServer({
  issuer: "http://localhost:8000",
  clients: [{ id: "service", secret: "service-secret" }],
  scopes: { read: "Read" },
});
