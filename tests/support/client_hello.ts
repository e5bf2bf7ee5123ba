import { Buffer } from "node:buffer";
import { connect } from "node:net";

/** What a TLS client offers: a version such as 0x0303 for TLS 1.2, and cipher suites. */
export interface TlsOffer {
  version: number;
  ciphers: readonly number[];
}

/** Returns how a server responds to an offer: with a handshake, an alert, or not at all. */
export function offerTls(port: number, offer: TlsOffer): Promise<"handshake" | "alert" | "closed"> {
  const { promise, resolve } = Promise.withResolvers<"handshake" | "alert" | "closed">();
  const socket = connect(port, "127.0.0.1", () => void socket.write(clientHello(offer)));
  socket.on("data", ([type]: Uint8Array) => {
    resolve(type === 0x16 ? "handshake" : "alert");
    socket.destroy();
  });
  socket.on("error", () => resolve("closed"));
  socket.on("close", () => resolve("closed"));
  return promise;
}

/**
 * Writes a ClientHello of TLS 1.2 or earlier, in a record (RFC 5246, sections 6.2.1 and 7.4.1.2).
 */
function clientHello({ version, ciphers }: TlsOffer): Buffer {
  const extensions = Buffer.concat([
    // The curve P-256, uncompressed points, and signatures with SHA-256.
    extension(10, [0, 2, 0, 23]),
    extension(11, [1, 0]),
    extension(13, [0, 6, 4, 3, 8, 4, 4, 1]),
  ]);
  const body = Buffer.concat([
    uint16(version),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    withLength(Buffer.concat(ciphers.map(uint16))),
    Buffer.from([1, 0]),
    withLength(extensions),
  ]);
  const handshake = Buffer.concat([Buffer.from([1, 0]), withLength(body)]);
  return Buffer.concat([Buffer.from([0x16, 3, 1]), withLength(handshake)]);
}

function extension(type: number, data: readonly number[]): Buffer {
  return Buffer.concat([uint16(type), withLength(Buffer.from(data))]);
}

function withLength(bytes: Buffer): Buffer {
  return Buffer.concat([uint16(bytes.length), bytes]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
