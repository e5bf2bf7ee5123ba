import { withAddress } from "../http/client_address.ts";
import { withTimeout } from "../util/promises.ts";
import { drainable } from "./drainable.ts";
import { keepListening, type Listener } from "./keep_listening.ts";
import { failureResponse, type Listen } from "./listen.ts";
import { countRequests } from "./requests_in_progress.ts";

/** How long connections may take to end once every request is answered, in milliseconds. */
const drainTimeout = 2_000;

/**
 * Deno gives no access to a single connection: after the last response of one it is the client who
 * ends it. A request without Host, which HTTP/1.1 requires, is served: it looks like one of HTTP/2.
 */
export const listenOnDeno: Listen = async ({ fetch, ...options }) => {
  const answering = drainable(fetch);

  function listen(port: number): Listener {
    const requests = countRequests();
    const where = { ...options, port, onListen: () => {}, onError: failureResponse };
    const server = Deno.serve(where, async (request, { remoteAddr }) => {
      const end = requests.begin();
      try {
        const address = "hostname" in remoteAddr ? remoteAddr.hostname : undefined;
        return await answering.fetch(withAddress(request, address));
      } finally {
        end();
      }
    });
    const stop = async () => {
      // Deno's own shutdown takes the bodies away from requests that are still being read.
      await requests.none();
      await shutDown(server);
    };
    return { port: server.addr.port, finished: server.finished, stop };
  }

  const listening = keepListening(listen, options.port);
  return {
    port: listening.port,
    close: async () => {
      answering.drain();
      await listening.stop();
    },
  };
};

/** A client that never sends the rest of a body which was not read could hold it up for ever. */
async function shutDown(server: Deno.HttpServer): Promise<void> {
  const tooLate = () => new Error("Some connections have not ended.");
  await withTimeout(drainTimeout, server.shutdown(), tooLate).catch(() => {});
}
