import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { createUntrustedResolver } from "../../src/runtime/resolve_host.ts";

type Answer = (query: Uint8Array) => Uint8Array | undefined;

/** Runs a test beside a name server on loopback. */
async function withNameServer(
  answer: Answer,
  act: (server: string, queries: () => number) => Promise<void>,
): Promise<void> {
  const socket: Socket = createSocket("udp4");
  let queries = 0;
  socket.on("message", (query: Uint8Array, { port, address }: RemoteInfo) => {
    queries++;
    const response = answer(query);
    if (response) socket.send(response, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  try {
    await act(`127.0.0.1:${(socket.address() as AddressInfo).port}`, () => queries);
  } finally {
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  }
}

const silent: Answer = () => undefined;

/** Responds with 192.0.2.1 to a query for an IPv4 address, and with no address to others. */
const knowsIpv4: Answer = (query) => {
  // The name ends with an empty label; type and class follow (RFC 1035, section 4.1.2).
  const end = query.indexOf(0, 12) + 5;
  const isIpv4 = query[end - 3] === 1;
  const header = [query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0];
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 1];
  return Uint8Array.from([...header, ...query.slice(12, end), ...isIpv4 ? record : []]);
};

const neverAborted = () => new AbortController().signal;

describe("The resolver of untrusted names", () => {
  it("S3: asks the name servers for both kinds of addresses", async () => {
    await withNameServer(knowsIpv4, async (server, queries) => {
      const resolve = createUntrustedResolver([server]);
      assertEquals(await resolve("app.example", neverAborted()), ["192.0.2.1"]);
      assertEquals(queries(), 2);
    });
  });

  it("S3: lets trusted names be resolved while a hundred names of others never are", async () => {
    await withNameServer(silent, async (server) => {
      const resolve = createUntrustedResolver([server]);
      const stop = new AbortController();
      let ended = 0;
      const pending = Array.from(
        { length: 100 },
        (_, n) => resolve(`${n}.example`, stop.signal).catch(() => {}).finally(() => ended++),
      );
      assert((await lookup("localhost", { all: true })).length > 0);
      assertEquals(ended, 0);
      stop.abort();
      await Promise.all(pending);
    });
  });

  it("S3: stops when it is aborted", async () => {
    await withNameServer(silent, async (server) => {
      const stop = new AbortController();
      const pending = createUntrustedResolver([server])("app.example", stop.signal);
      stop.abort();
      await assertRejects(() => pending, Error, "ECANCELLED");
    });
  });

  for (const name of ["localhost", "app.localhost", "LOCALHOST."]) {
    it(`S3: asks nobody for ${name}`, async () => {
      await withNameServer(silent, async (server, queries) => {
        const resolve = createUntrustedResolver([server]);
        assertEquals([await resolve(name, neverAborted()), queries()], [["127.0.0.1"], 0]);
      });
    });
  }
});
