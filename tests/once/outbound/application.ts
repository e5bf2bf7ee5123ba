import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { createDeferred } from "../../../src/server/util/time/promises.ts";
import { cert, key } from "../../support/certificate.ts";
import { type ClientKey, makeClientKey } from "../../support/client_key.ts";
import { listen } from "../../support/listen.ts";

/** The application of two clients, which an authorization server asks for what they name. */
export interface Application {
  origin: string;
  clientKey: ClientKey;
  /** The requests that came, such as "GET /keys.json". */
  requests: string[];
  /** The first logout token that comes. */
  logoutToken: Promise<string>;
  close(): Promise<void>;
}

/** Listens with https, as clients that are not configured must. */
export async function openApplication(): Promise<Application> {
  const clientKey = await makeClientKey("ES256", "key-1");
  const requests: string[] = [];
  const { promise: logoutToken, resolve } = createDeferred<string>();
  const server = createServer({ cert, key }, async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url === "/logout") {
      resolve(new URLSearchParams(await text(request)).get("logout_token") ?? "");
    }
    const found = documents[request.url ?? ""];
    response.writeHead(found || request.url === "/logout" ? 200 : 404, {
      "Content-Type": "application/json",
    }).end(JSON.stringify(found ?? {}));
  });
  const { port, [Symbol.asyncDispose]: close } = await listen(server);
  const origin = `https://localhost:${port}`;
  const documents: Record<string, unknown> = {
    "/keys.json": { keys: [{ ...clientKey.publicJwk, use: "sig", alg: "ES256" }] },
    "/sector.json": [`${origin}/callback`],
    "/client.json": {
      client_id: `${origin}/client.json`,
      client_name: "By document",
      redirect_uris: [`${origin}/callback`],
      token_endpoint_auth_method: "none",
    },
  };
  return { origin, clientKey, requests, logoutToken, close };
}
