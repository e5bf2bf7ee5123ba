import type { IncomingMessage } from "node:http";
import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";

/** What a browser says of a page that its user opens (Fetch Metadata). */
export const navigation: Readonly<Record<string, string>> = {
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-User": "?1",
  "Upgrade-Insecure-Requests": "1",
};

const emptyStatuses = [204, 205, 304];

/** The part of Node that is used. It is not imported: browsers have none of it. */
interface RequestModules {
  http: Pick<typeof import("node:http"), "request">;
  https: Pick<typeof import("node:https"), "request">;
}

/**
 * Sends the requests of a lab. The `fetch` of Node says of each one that a script sent it, so that
 * some applications refuse to be opened.
 */
export const labFetch: OutboundFetch = (url, init) => {
  const isNavigation = init.headers["Sec-Fetch-Mode"] === navigation["Sec-Fetch-Mode"];
  const node = isNavigation ? nodeModules() : undefined;
  return node ? send(node, url, init) : fetch(url, init);
};

function nodeModules(): RequestModules | undefined {
  const { process, navigator } = globalThis as {
    process?: { getBuiltinModule?(name: string): unknown };
    navigator?: { userAgent?: string };
  };
  // Deno and Bun have these modules, too, and a fetch that leaves the headers alone.
  if (!navigator?.userAgent?.startsWith("Node.js")) return undefined;
  const http = process?.getBuiltinModule?.("node:http") as RequestModules["http"] | undefined;
  const https = process?.getBuiltinModule?.("node:https") as RequestModules["https"] | undefined;
  return http && https ? { http, https } : undefined;
}

async function send(
  { http, https }: RequestModules,
  url: string,
  { method, headers, body, signal }: Parameters<OutboundFetch>[1],
): Promise<Response> {
  const { request: open } = url.startsWith("https:") ? https : http;
  return await new Promise((resolve, reject) => {
    const request = open(url, { method, headers, signal, agent: false });
    request.once("error", reject);
    request.once("response", (message) => resolve(responseOf(message)));
    request.end(body);
  });
}

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return new Response(emptyStatuses.includes(status) ? null : streamOf(message), {
    status,
    headers,
  });
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      try {
        for await (const chunk of message) controller.enqueue(chunk);
        controller.close();
      } catch (cause) {
        controller.error(cause);
      }
    },
    cancel: () => void message.destroy(),
  });
}
