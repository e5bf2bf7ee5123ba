import { offerTls } from "./client_hello.ts";

const tls12 = 0x0303;

/** The numbers of cipher suites, for each kind of key that a certificate may have. */
type SuiteTable = Record<"ecdsa" | "rsa", Record<string, number>>;

/** Cipher suites of TLS 1.2 that RFC 9325 recommends in section 4.2, by the names of IANA. */
export const recommendedSuites: SuiteTable = {
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
export const refusedSuites: SuiteTable = {
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

/** Suites that RFC 9325 permits, and FAPI-CIBA does not (FAPI 1.0, part 2, section 8.5). */
export const chachaSuites: SuiteTable = {
  ecdsa: { TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 0xcca9 },
  rsa: { TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 0xcca8 },
};

/** Returns the names of the suites of TLS 1.2 that a server accepts, each offered alone. */
export async function acceptedSuites(
  port: number,
  suites: Record<string, number>,
): Promise<string[]> {
  const accepted: string[] = [];
  for (const [name, cipher] of Object.entries(suites)) {
    const response = await offerTls(port, { version: tls12, ciphers: [cipher] });
    if (response === "handshake") accepted.push(name);
  }
  return accepted;
}
