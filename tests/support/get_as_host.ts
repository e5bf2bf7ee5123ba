import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { createDeferred } from "../../src/server/util/time/promises.ts";

/** A response. */
export interface HostReply {
  status: number | undefined;
  text: string;
}

/** Gets a URL from a port of this machine, as the hosts file makes clients do. */
export async function getAsHost(port: number, ca: string, url: string): Promise<HostReply> {
  const { hostname, pathname } = new URL(url);
  const { promise, resolve, reject } = createDeferred<IncomingMessage>();
  const options = { host: "127.0.0.1", port, path: pathname, servername: hostname };
  const sent = request({ ...options, ca, headers: { Host: hostname }, agent: false }, resolve);
  sent.on("error", reject);
  sent.end();
  const response = await promise;
  let text = "";
  for await (const part of response) text += part;
  return { status: response.statusCode, text };
}
