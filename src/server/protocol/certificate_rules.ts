import { compared, ruleSet } from "./rule.ts";

const about = { see: "RFC 8705, section 3", error: "invalid_request" } as const;

/** What is bound to a certificate is only for a connection that proves this certificate. */
export const certificateRules = ruleSet("certificate", about, {
  required: {
    title: "A client whose tokens must be bound to a certificate must connect with one",
    fix:
      "Send the request over TLS with a client certificate, to one of the mtls_endpoint_aliases.",
  },
  token: {
    ...compared,
    parameter: "Authorization",
    error: "invalid_token",
    title: "An access token that is bound to a certificate must come over TLS with that one",
  },
  refresh_token: {
    ...compared,
    see: "RFC 8705, section 4",
    parameter: "refresh_token",
    error: "invalid_grant",
    title: "A refresh token that is bound to a certificate must come over TLS with that one",
  },
  // Otherwise an exchange would turn a bound token into one that anyone can use.
  exchanged_token: {
    ...compared,
    title: "An exchanged token that is bound to a certificate must come over TLS with that one",
  },
});
