import { withTimeout } from "../server/util/time/promises.ts";
import { createDrainableHandler, createRequestCounter } from "./drainable.ts";
import { keepListening, type Listener } from "./keep_listening.ts";
import { disconnectedResponse, failureResponse, type Listen, platformResponse } from "./listen.ts";
import { endOfNextTurn } from "./turn.ts";

/** How long connections may take to close after the last response, in milliseconds. */
const drainTimeout = 2_000;

/**
 * Deno gives no access to a single connection, so the client closes it after the last response. A
 * request without `Host`, which HTTP/1.1 requires, is served: it looks like one of HTTP/2.
 */
export const listenOnDeno: Listen = async ({ respond, hostname, port, cert, key }) => {
  const handler = createDrainableHandler(respond);

  function listen(port: number): Listener {
    const requests = createRequestCounter();
    const options = {
      hostname,
      port,
      ...cert !== undefined && { cert },
      ...key !== undefined && { key },
      onListen: () => {},
      onError: failureResponse,
    };
    const server = Deno.serve(options, async (request, { remoteAddr }) => {
      const end = requests.begin();
      try {
        // Deno reports the address 0.0.0.0 and port 0 for a peer that has disconnected.
        if (!("hostname" in remoteAddr) || remoteAddr.port === 0) return disconnectedResponse();
        const peer = remoteAddr.hostname;
        return platformResponse(await handler.respond(request, { peer }));
      } finally {
        end();
      }
    });
    const stop = async () => {
      const closed = server.shutdown();
      await requests.none();
      await limitClosing(closed);
    };
    return { port: server.addr.port, finished: server.finished, stop };
  }

  const listening = keepListening(listen, port);
  return {
    port: listening.port,
    close: async () => {
      // Deno's own shutdown would abort requests whose bodies are still being read.
      await handler.drain();
      // Sends the responses of this turn first, and reads what has arrived.
      await endOfNextTurn();
      await listening.stop();
    },
  };
};

/** Waits for connections to close. A client with a half-sent body could prevent that forever. */
async function limitClosing(closed: Promise<void>): Promise<void> {
  const tooLate = () => new Error("Some connections did not close.");
  await withTimeout(drainTimeout, closed, tooLate).catch(() => {});
}
