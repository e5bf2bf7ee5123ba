/**
 * The cipher suites of TLS 1.2 that RFC 9325 recommends in section 4.2, as OpenSSL names them. By
 * default Node and Bun also offer suites with CBC, and some whose recorded connections can be
 * decrypted once the server's key is known.
 */
const tls12Suites = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");

/**
 * All suites that a server of Node or Bun offers. Deno offers neither CBC nor static RSA, and takes
 * no list.
 */
export const cipherSuites =
  `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:${tls12Suites}`;
