// What an embedder writes: nothing but a configuration, exported.
import { createServer } from "../../src/mod.ts";

export default createServer({
  issuer: "http://localhost:8000",
  clients: [{ id: "service", secret: "service-secret" }],
  scopes: { read: "Read" },
});
