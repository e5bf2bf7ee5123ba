/**
 * The cipher suites of TLS that a server offers, in OpenSSL's form: those of TLS 1.3, and for TLS
 * 1.2 the ones that RFC 9325 recommends in section 4.2. By default Node and Bun also offer suites
 * with CBC, and some whose old connections can be decrypted with the server's key. Deno never does,
 * and cannot be told.
 */
export const cipherSuites: string = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");
