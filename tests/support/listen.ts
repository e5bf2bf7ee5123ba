import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";

/** A server of Node that listens, until it is disposed of. */
export interface Listening {
  port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Has a server of Node listen on this machine; it closes with its connections. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<Listening> {
  await once(server.listen(0, host), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      if ("closeAllConnections" in server) (server.closeAllConnections as () => void)();
      await closed;
    },
  };
}

/** A client on this machine that serves its own document. */
export interface ListeningClient extends AsyncDisposable {
  clientId: string;
  /** Returns how often its document was fetched. */
  asked(): number;
}

/** Serves the document of a client, with https if there is a certificate. */
export async function serveDocument(
  certificate?: { cert: string; key: string },
): Promise<ListeningClient> {
  let asked = 0;
  const server = certificate ? createTlsServer(certificate) : createServer();
  server.on("request", (_, response) => {
    asked++;
    const document = { client_id: clientId, redirect_uris: ["http://127.0.0.1/cb"] };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ ...document, client_name: "Under development" }));
  });
  const listening = await listen(server);
  const origin = certificate ? "https://localhost" : "http://127.0.0.1";
  const clientId = `${origin}:${listening.port}/client.json`;
  return { ...listening, clientId, asked: () => asked };
}
