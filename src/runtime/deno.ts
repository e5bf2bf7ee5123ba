import { withAddress } from "../http/address.ts";
import { within } from "../http/patience.ts";
import type { Listener } from "./keep_listening.ts";
import { keepListening } from "./keep_listening.ts";
import { lastResponse } from "./last_response.ts";
import type { Listen } from "./listen.ts";
import { failed } from "./listen.ts";
import { countRequests } from "./requests_in_progress.ts";

/** How long connections may take to end once every request is answered, in milliseconds. */
const patience = 2_000;

/**
 * Deno gives no access to a single connection. It marks the response to a request whose body was
 * not read as the last one of its connection, and leaves it to the client to end it.
 * A request without Host, which HTTP/1.1 requires, is served: it looks like one of HTTP/2.
 */
export const listenOnDeno: Listen = async ({ fetch, ...options }) => {
  let isClosing = false;

  async function respond(request: Request, { remoteAddr }: Deno.ServeHandlerInfo): Promise<Response> {
    const address = "hostname" in remoteAddr ? remoteAddr.hostname : undefined;
    const response = await fetch(withAddress(request, address));
    return isClosing ? lastResponse(response) : response;
  }

  function listen(port: number): Listener {
    const requests = countRequests();
    const where = { ...options, port, onListen: () => {}, onError: failed };
    const server = Deno.serve(where, async (request, info) => {
      // Deno stops listening only by a shutdown, which takes the bodies away from requests that
      // are still being read. So it waits for them, and newcomers are turned away meanwhile.
      if (isClosing) return lastResponse(new Response(null, { status: 503 }));
      const end = requests.begin();
      try {
        return await respond(request, info);
      } finally {
        end();
      }
    });
    const stop = async () => {
      await requests.none();
      await shutDown(server);
    };
    return { port: server.addr.port, finished: server.finished, stop };
  }

  const listening = keepListening(listen, options.port);
  return {
    port: listening.port,
    close: async () => {
      isClosing = true;
      await listening.stop();
    },
  };
};

/** A client that never sends the rest of a body which was not read could hold it up for ever. */
async function shutDown(server: Deno.HttpServer): Promise<void> {
  const tooLate = () => new Error("Some connections have not ended.");
  await within(patience, server.shutdown(), tooLate).catch(() => {});
}
