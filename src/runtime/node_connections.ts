import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { endOfNextTurn, endOfTurn } from "./turn.ts";

/** `SSL_OP_NO_TICKET` of OpenSSL. */
const noTickets = 0x4000;

/** More than any client has, in case the issuers of a certificate lead back to it. */
const maxCertificates = 10;

/**
 * Options of a server that asks clients for certificates. The application decides which authority
 * it trusts: a certificate that a client signed itself is fine where its key is registered. Without
 * tickets, no connection resumes another one: Node would then lack the intermediate certificates.
 */
export const askForCertificates = {
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: noTickets,
} as const;

type Socket = IncomingMessage["socket"];

/** What Node has of a certificate; one that signed itself is its own issuer. */
type SentCertificate = Partial<DetailedPeerCertificate>;

/**
 * Tracks the connections of a server, with the responses to their latest requests, which end last.
 * Node's own `close` waits for connections that never sent a whole request, and for those that are
 * kept busy.
 */
export function trackConnections(server: Server) {
  const open = new Set<Socket>();
  const latest = new Map<Socket, ServerResponse>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    /**
     * Notes that a connection has a request, and the response to come. If an earlier one was not
     * responded to, returns what to wait for: Node reads thousands of requests in a pipeline at
     * once, and others would have to wait until all are handled.
     */
    note({ socket }: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
      const previous = latest.get(socket);
      if (!previous) socket.once("close", () => latest.delete(socket));
      latest.set(socket, response);
      if (previous?.writableEnded !== false) return undefined;
      socket.pause();
      // If the connection closes meanwhile, nobody waits for the response.
      return untilClosed(previous).then(endOfTurn).then(() => {
        if (latest.get(socket) === response) socket.resume();
      });
    },
    /** Ends the connections once their requests are responded to. */
    async end(): Promise<void> {
      server.closeIdleConnections();
      // On Deno, a response has no `closed`.
      const unfinished = () =>
        [...latest].filter(([, { closed = false, destroyed }]) => !closed && !destroyed);
      for (let rest = unfinished(); rest.length > 0; rest = unfinished()) {
        await Promise.all(rest.map((either) => Promise.race(either.map(untilClosed))));
      }
      for (const socket of open) socket.destroy();
      // Otherwise a client in this process would reuse its connection.
      await endOfNextTurn();
    },
  };
}

/**
 * Returns the certificates that a client has sent, its own first; undefined without one. With
 * `getPeerX509Certificate`, Node has the intermediate ones for the first request alone.
 */
export function certificatesOf(socket: Socket): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  let certificate: SentCertificate | undefined = (socket as TLSSocket).getPeerCertificate(true);
  while (certificate?.raw && found.length < maxCertificates) {
    found.push(certificate.raw);
    const { issuerCertificate }: SentCertificate = certificate;
    certificate = issuerCertificate === certificate ? undefined : issuerCertificate;
  }
  return found.length > 0 ? found : undefined;
}

function untilClosed(closing: Socket | ServerResponse): Promise<void> {
  return new Promise((resolve) => closing.once("close", () => resolve()));
}
