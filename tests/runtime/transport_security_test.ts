import { assertEquals } from "@std/assert";
import { get as getPlain } from "node:http";
import { get } from "node:https";
import { describe, it } from "node:test";
import { serve, type ServeOptions } from "../../src/runtime/serve.ts";
import { authority, cert, key } from "../support/certificate.ts";

/** Returns the header of a response to a request for a host. */
async function headerFor(host: string, options: ServeOptions): Promise<string | undefined> {
  const application = { fetch: async () => Response.redirect("https://client.example/") };
  const listening = await serve(application, { port: 0, hostname: "127.0.0.1", ...options });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const scheme = options.cert === undefined ? "http" : "https";
  const getUrl = options.cert === undefined ? getPlain : get;
  const request = { headers: { Host: host }, agent: false, ca: authority, servername: "localhost" };
  getUrl(`${scheme}://127.0.0.1:${listening.port}/`, request, (response) => {
    response.resume().on("end", () => resolve(response.headers["strict-transport-security"]));
  }).on("error", reject);
  try {
    return await promise;
  } finally {
    await listening.close();
  }
}

describe("Strict-Transport-Security (RFC 6797)", () => {
  const cases: Array<[what: string, host: string, options: ServeOptions, header?: string]> = [
    ["is sent where TLS is ours", "id.example", { cert, key }, "max-age=31536000"],
    ["is not sent without TLS", "id.example", {}],
    ["is not sent if it is off, as in a lab", "id.example", { cert, key, strictTransport: false }],
    ["is not sent to localhost", "localhost:8443", { cert, key }],
    ["is not sent to 127.0.0.1", "127.0.0.1", { cert, key }],
  ];
  for (const [what, host, options, header] of cases) {
    it(what, async () => assertEquals(await headerFor(host, options), header));
  }
});
