import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { connect } from "node:tls";
import { type Listening, serve } from "../../src/runtime/serve.ts";
import { cert, key, rsaCert, rsaKey } from "../support/certificate.ts";
import {
  acceptedSuites,
  chachaSuites,
  recommendedSuites,
  refusedSuites,
} from "../support/tls_suites.ts";

const pairs = { ecdsa: { cert, key }, rsa: { cert: rsaCert, key: rsaKey } };

async function withTls(
  kind: keyof typeof pairs,
  act: (listening: Listening) => Promise<void>,
): Promise<void> {
  const fetch = async () => new Response("ok");
  const listening = await serve({ fetch }, { port: 0, hostname: "127.0.0.1", ...pairs[kind] });
  try {
    await act(listening);
  } finally {
    await listening.close();
  }
}

/** Returns the version of TLS that a client gets that accepts every one. */
function negotiatedVersion(port: number): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
    resolve(socket.getProtocol());
    socket.end();
  });
  socket.on("error", reject);
  return promise;
}

describe("serve() with a certificate", () => {
  for (const kind of ["ecdsa", "rsa"] as const) {
    it(`I9 GHSA-gr79-9v6v-gc9r: refuses TLS 1.2 without ECDHE or AEAD, with an ${kind} key`, async () => {
      await withTls(kind, async ({ port }) => {
        assertEquals(await acceptedSuites(port, refusedSuites[kind]), []);
      });
    });

    it(`I9: accepts the suites that RFC 9325 recommends, with an ${kind} key`, async () => {
      await withTls(kind, async ({ port }) => {
        const suites = recommendedSuites[kind];
        assertEquals(await acceptedSuites(port, suites), Object.keys(suites));
      });
    });

    // SPECIFICATIONS.md says so: Deno has no setting for it.
    it(`accepts ChaCha20-Poly1305 in TLS 1.2 on Deno alone, with an ${kind} key`, async () => {
      await withTls(kind, async ({ port }) => {
        const suites = chachaSuites[kind];
        const expected = "Deno" in globalThis ? Object.keys(suites) : [];
        assertEquals(await acceptedSuites(port, suites), expected);
      });
    });
  }

  it("I9: negotiates TLS 1.3 with a client that offers it", async () => {
    await withTls("ecdsa", async ({ port }) => {
      assertEquals(await negotiatedVersion(port), "TLSv1.3");
    });
  });
});
