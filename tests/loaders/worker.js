// An authorization server in a worker: web standards only, no flags.
import { createServer } from "hallpass";

const server = createServer({
  issuer: "https://id.example",
  clients: [{ id: "service", secret: "a-secret-of-22-characters-and-more" }],
  scopes: { read: "Read" },
});

export default { fetch: (request) => server.fetch(request) };
