import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { endOfNextTurn } from "./turn.ts";

type Socket = IncomingMessage["socket"];

/** The connections of a server, with the responses to their latest requests, which end last. */
export interface Connections {
  /** Notes that a connection has a request, and the response to come. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /** Ends the connections once their requests are responded to. */
  end(): Promise<void>;
}

/**
 * Tracks the connections of a server. Node's own `close` waits for connections that never sent a
 * whole request, and for those that are kept busy.
 */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>();
  const latest = new Map<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    note({ socket }, response) {
      if (!latest.has(socket)) socket.once("close", () => latest.delete(socket));
      latest.set(socket, response);
    },
    async end() {
      server.closeIdleConnections();
      // On Deno, a response has no `closed`.
      const unfinished = () =>
        [...latest.values()].filter(({ closed = false, destroyed }) => !closed && !destroyed);
      for (let rest = unfinished(); rest.length > 0; rest = unfinished()) {
        await Promise.all(rest.map(untilClosed));
      }
      for (const socket of open) socket.destroy();
      // Otherwise a client in this process would reuse its connection.
      await endOfNextTurn();
    },
  };
}

function untilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", () => resolve()));
}
