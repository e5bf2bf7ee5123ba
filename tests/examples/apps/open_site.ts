import { once } from "node:events";
import { createServer, type Server } from "node:http";

/** A server on a free port; its address is known before it has an application. */
export interface Site extends AsyncDisposable {
  url: string;
  server: Server;
  /** Resolves when the application has responded to the next POST. */
  nextPost(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address?.port;
  const nextPost = () =>
    new Promise<void>((resolve) =>
      server.on("request", ({ method }, response) => {
        if (method === "POST") response.once("close", resolve);
      })
    );
  const close = async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  };
  return { url: `http://localhost:${port}`, server, nextPost, [Symbol.asyncDispose]: close };
}
