import type { TestLab } from "../../testing/test_lab.ts";
import { augment, pathOf, readText, toLabRequest } from "./message_request.ts";
import { metadataPath } from "./mock_responder.ts";
import { thrownResponse } from "./problem.ts";
import type { MockRouteHandler, NodeMessage, NodeResponse, OAuth2Endpoints } from "./types.ts";

/** What a listener needs of its service. */
export interface MockListening {
  endpoints: OAuth2Endpoints;
  /** The routes of the test, by method and path: `GET /path`. */
  routes: ReadonlyMap<string, MockRouteHandler>;
  /** Opens the lab with the first request. */
  lab(): Promise<TestLab>;
}

const corsHeaders: ReadonlyArray<readonly [name: string, value: string]> = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Allow-Methods", "GET, POST, OPTIONS"],
  ["Access-Control-Allow-Headers", "Content-Type, Authorization"],
];

/** Headers that the listener sends itself, or that the peer does not send. */
const droppedHeaders = ["access-control-allow-origin", "content-length", "set-cookie"];

/** Returns the routes of the endpoints: `GET /authorize`. */
export function endpointRoutes(
  { wellKnownDocument, jwks, authorize, userinfo, endSession, token, revoke, introspect }:
    OAuth2Endpoints,
): string[] {
  return [
    ...[wellKnownDocument, jwks, authorize, userinfo, endSession].map((path) => `GET ${path}`),
    ...[token, revoke, introspect].map((path) => `POST ${path}`),
  ];
}

/** Responds to a request: for a route of the test, for an endpoint of the lab, or with 404. */
export async function handleMessage(
  listening: MockListening,
  message: NodeMessage,
  response: NodeResponse,
): Promise<void> {
  for (const [name, value] of corsHeaders) response.setHeader(name, value);
  if (message.method === "OPTIONS") return sendEmpty(response, 204);
  const route = `${message.method} ${pathOf(message.url ?? "/")}`;
  try {
    const own = listening.routes.get(route);
    if (own) return await own(augment(message, await readText(message)), response);
    if (!endpointRoutes(listening.endpoints).includes(route)) return sendEmpty(response, 404);
    await respondWithLab(listening, message, response);
  } catch (cause) {
    sendFailure(response, cause);
  }
}

async function respondWithLab(
  { endpoints, lab }: MockListening,
  message: NodeMessage,
  response: NodeResponse,
): Promise<void> {
  const { fetch, issuer } = await lab();
  const connection = new AbortController();
  response.on("close", () => connection.abort());
  const path = pathOf(message.url ?? "/");
  const body = await readText(message);
  augment(message, body);
  const request = toLabRequest(message, {
    origin: issuer,
    path: path === endpoints.wellKnownDocument ? metadataPath : path,
    body,
    signal: connection.signal,
  });
  await send(await fetch(request), response);
}

async function send(sent: Response, response: NodeResponse): Promise<void> {
  for (const [name, value] of sent.headers) {
    if (!droppedHeaders.includes(name)) response.setHeader(name, value);
  }
  const bytes = new Uint8Array(await sent.arrayBuffer());
  response.statusCode = sent.status;
  if (bytes.length > 0) response.setHeader("Content-Length", String(bytes.length));
  response.end(bytes);
}

function sendEmpty(response: NodeResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

/** A fault may close the connection before the response. */
function sendFailure(response: NodeResponse, cause: unknown): void {
  const isBroken = cause instanceof Error && cause.name === "BrokenConnection";
  if (isBroken || response.headersSent) return void response.destroy();
  const { status, headers, body } = thrownResponse(cause);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.statusCode = status;
  response.end(String(body ?? ""));
}
