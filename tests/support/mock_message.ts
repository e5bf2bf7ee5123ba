import type { OAuth2Server } from "../../src/lab/compat/oauth2_mock_server/mod.ts";
import type { NodeMessage, NodeResponse } from "../../src/lab/compat/oauth2_mock_server/types.ts";

/** A request as it comes over a connection. */
export interface MockRequest {
  method: string;
  /** The path and the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** What was sent over the connection. */
export interface MockSent {
  status: number;
  text: string;
}

/** Gives a request to the listener of a server, without a connection. */
export function sendMessage(
  { service }: OAuth2Server,
  { method, path, headers, body = "" }: MockRequest,
): Promise<MockSent> {
  const message: NodeMessage = {
    method,
    url: path,
    headers,
    async *[Symbol.asyncIterator]() {
      yield new TextEncoder().encode(body);
    },
  };
  return new Promise((resolve, reject) => {
    const response: NodeResponse = {
      statusCode: 200,
      headersSent: false,
      setHeader: () => {},
      writeHead: () => {},
      write: () => true,
      end: (chunk = "") => resolve({ status: response.statusCode, text: textOf(chunk) }),
      destroy: () => reject(new Error("The connection was broken.")),
      on: () => {},
    };
    service.requestHandler(message, response);
  });
}

function textOf(chunk: string | Uint8Array): string {
  return typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
}
