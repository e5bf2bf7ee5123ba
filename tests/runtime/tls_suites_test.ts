import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { connect } from "node:tls";
import { type Listening, serve } from "../../src/runtime/serve.ts";
import { cert, key, rsaCert, rsaKey } from "../support/certificate.ts";
import { offerTls } from "../support/client_hello.ts";

const tls12 = 0x0303;

/** Cipher suites of TLS 1.2 that RFC 9325 recommends in section 4.2, by the names of IANA. */
const recommended = {
  ecdsa: {
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 0xc02b,
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 0xc02c,
  },
  rsa: {
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 0xc02f,
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 0xc030,
  },
};

/** Suites without forward secrecy or without authenticated encryption, and some that are rare. */
const refused = {
  ecdsa: {
    TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 0xc009,
    TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 0xc00a,
    TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 0xc023,
    TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384: 0xc024,
    TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256: 0xc05c,
    TLS_ECDHE_ECDSA_WITH_AES_128_CCM: 0xc0ac,
    TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8: 0xc0ae,
  },
  rsa: {
    TLS_RSA_WITH_3DES_EDE_CBC_SHA: 0x000a,
    TLS_RSA_WITH_AES_128_CBC_SHA: 0x002f,
    TLS_RSA_WITH_AES_256_CBC_SHA: 0x0035,
    TLS_RSA_WITH_AES_128_CBC_SHA256: 0x003c,
    TLS_RSA_WITH_AES_256_CBC_SHA256: 0x003d,
    TLS_RSA_WITH_AES_128_GCM_SHA256: 0x009c,
    TLS_RSA_WITH_AES_256_GCM_SHA384: 0x009d,
    TLS_DHE_RSA_WITH_AES_128_CBC_SHA: 0x0033,
    TLS_DHE_RSA_WITH_AES_128_GCM_SHA256: 0x009e,
    TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: 0xc012,
    TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 0xc013,
    TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 0xc014,
    TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 0xc027,
    TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384: 0xc028,
  },
};

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
        const accepted: string[] = [];
        for (const [name, cipher] of Object.entries(refused[kind])) {
          const response = await offerTls(port, { version: tls12, ciphers: [cipher] });
          if (response === "handshake") accepted.push(name);
        }
        assertEquals(accepted, []);
      });
    });

    it(`I9: accepts the suites that RFC 9325 recommends, with an ${kind} key`, async () => {
      await withTls(kind, async ({ port }) => {
        for (const [name, cipher] of Object.entries(recommended[kind])) {
          const offer = { version: tls12, ciphers: [cipher] };
          assertEquals([name, await offerTls(port, offer)], [name, "handshake"]);
        }
      });
    });
  }

  it("I9: negotiates TLS 1.3 with a client that offers it", async () => {
    await withTls("ecdsa", async ({ port }) => {
      assertEquals(await negotiatedVersion(port), "TLSv1.3");
    });
  });
});
