/**
 * The floor: an authorization server with each runtime's own HTTP server and nothing in between. It
 * is what the servers in this bench are compared with.
 *
 *   node server.ts PORT ALG FILE    FILE holds the documents that it serves, as JSON
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";
import { createResponder, type FloorRequest } from "./respond.ts";

/** The part of Bun that the floor uses. */
declare const globalThis: { Bun: { serve(options: object): void } };

const [port = "", alg = "", file = ""] = process.argv.slice(2);
const issuer = `http://localhost:${port}`;
const respond = await createResponder({ alg, issuer, ...JSON.parse(readFileSync(file, "utf8")) });
const address = { hostname: "127.0.0.1", port: Number(port) };

if ("Deno" in globalThis) Deno.serve({ ...address, onListen() {} }, serveWebRequest);
else if ("Bun" in globalThis) globalThis.Bun.serve({ ...address, fetch: serveWebRequest });
else await serveOnNode();
console.log(`bench ready ${issuer}`);

async function serveWebRequest(request: Request): Promise<Response> {
  const { url, headers } = request;
  const { status, headers: sent, body } = await respond({
    target: url.slice(issuer.length),
    header: (name) => headers.get(name),
    body: request.method === "POST" ? await request.text() : "",
  });
  return new Response(body, { status, headers: sent });
}

async function serveOnNode(): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? await textOf(request) : "";
    const { status, headers, body: sent } = await respond(toFloorRequest(request, body));
    response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(sent) });
    response.end(sent);
  });
  await once(server.listen(address.port, address.hostname), "listening");
}

function toFloorRequest({ url = "", headers }: IncomingMessage, body: string): FloorRequest {
  return { target: url, header: (name) => headers[name], body };
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => text += chunk);
    request.on("end", () => resolve(text));
  });
}
