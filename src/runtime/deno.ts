import { withTimeout } from "../server/util/time/promises.ts";
import { createDrainableHandler, createRequestCounter } from "./drainable.ts";
import { disconnectedResponse, failureResponse, type Listen, platformResponse } from "./listen.ts";
import { endOfNextTurn } from "./turn.ts";

/** How long connections may take to close after the last response, in milliseconds. */
const drainTimeout = 2_000;

/** How long to wait before listening again, in milliseconds. */
const restartPause = 100;

/** A listening socket and the connections that it accepted. */
interface Listener {
  port: number;
  /** Rejects when no connection can be accepted anymore. Open connections continue. */
  finished: Promise<void>;
  /** Finishes the requests in progress, then closes every connection. */
  stop(): Promise<void>;
}

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
        if (!("hostname" in remoteAddr) || remoteAddr.port === 0) {
          return platformResponse(disconnectedResponse);
        }
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

/**
 * Listens again after a failure to accept a connection. Deno would stop listening permanently, and
 * anyone can cause the failure by using up the file descriptors of the process. The old listener
 * finishes its requests and closes its connections, which frees descriptors.
 */
function keepListening(
  listen: (port: number) => Listener,
  port: number,
): Omit<Listener, "finished"> {
  const open = new Set<Listener>();
  const stopping = new Set<Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function start(port: number): Listener {
    const listener = listen(port);
    open.add(listener);
    listener.finished.catch(() => isStopped || restartLater(listener.port, listener));
    return listener;
  }

  function restartLater(port: number, failed?: Listener): void {
    timer = setTimeout(() => {
      if (failed) retire(failed);
      try {
        start(port);
      } catch {
        restartLater(port);
      }
    }, restartPause);
  }

  function retire(listener: Listener): void {
    open.delete(listener);
    const stopped = listener.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  return {
    port: start(port).port,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      open.forEach(retire);
      await Promise.all(stopping);
    },
  };
}

/** Waits for connections to close. A client with a half-sent body could prevent that forever. */
async function limitClosing(closed: Promise<void>): Promise<void> {
  const tooLate = () => new Error("Some connections did not close.");
  await withTimeout(drainTimeout, closed, tooLate).catch(() => {});
}
