/**
 * A server and an API that introspects its tokens, in one process. The test runs this file from the
 * sources, and rewrites its imports to run it with the npm package; so it has no types of its own.
 */
import { argv } from "node:process";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import { guardedFetch, serve } from "../../../src/runtime/serve.ts";
import { createServer } from "../../../src/server/mod.ts";

const { config, introspection } = JSON.parse(argv[2] ?? "");

serve((port) => {
  const issuer = `http://localhost:${port}`;
  const fetchUntrusted = guardedFetch({ allowPrivate: true });
  const server = createServer({ ...config, issuer, fetchUntrusted });
  const authorizationServers = [{ issuer, introspection }];
  const api = protectedResource({ resource: issuer, authorizationServers });
  return {
    fetch: async (request) => {
      if (new URL(request.url).pathname !== "/api") return await server.fetch(request);
      const access = await api.require(request);
      return access instanceof Response ? access : Response.json({ subject: access.subject });
    },
  };
}, { port: 0 }).then(({ port }) => console.log(`hallpass ready http://localhost:${port}`));
