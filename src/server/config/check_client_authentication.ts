import {
  type ClientAuthenticationMethod,
  type CoreClientConfig,
  isCertificateMethod,
} from "../model/client_config.ts";
import { clientAlgorithms } from "../model/signing.ts";
import { clientAssertionAlgorithms } from "../protocol/client_assertion.ts";
import { clientKeyProblem, signsNothing } from "../protocol/client_key.ts";
import { authenticationOf, hasKeys, usesHmac } from "./make_client.ts";
import type { ReportProblem } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";

/** HMAC with SHA-256 needs as many bits as its hash has (RFC 7518, section 3.2). */
const minHmacSecretBytes = 32;

/** Reports contradictions between how a client authenticates and the credentials that it has. */
export function checkClientAuthentication(
  config: CoreClientConfig,
  { algs, authentication: supported }: Profile,
  report: ReportProblem,
): void {
  const authentication = authenticationOf(config);
  for (const method of authentication.filter(isCertificateMethod)) {
    if (supported.includes(method)) continue;
    const needed = `it needs '${method === "tls_client_auth" ? "mtls.authorities" : "mtls"}'`;
    report("authentication", `contains '${method}', which this server does not have: ${needed}`);
  }
  if (config.certificateBoundTokens && !supported.some(isCertificateMethod)) {
    report("certificateBoundTokens", "needs mutual TLS, which this server does not have");
  }
  if (config.secret && authentication.includes("none")) {
    report("authentication", "contains 'none', but the client has a secret");
  }
  if (!config.secret && authentication.some((method) => method.startsWith("client_secret"))) {
    report("secret", "is missing, but the client authenticates with one");
  }
  checkHmacSecret(config, report);
  checkKeys(config, authentication, report);
  const assertionAlgs = authentication.flatMap((method) => clientAssertionAlgorithms(method, algs));
  checkAlg("authenticationAlg", config.authenticationAlg, assertionAlgs, report);
  checkAlg("requestObjectAlg", config.requestObjectAlg, clientAlgorithms(algs), report);
}

/** With a shorter secret, everyone who sees an ID token could guess the key that signed it. */
function checkHmacSecret(config: CoreClientConfig, report: ReportProblem): void {
  const { secret, idTokenAlg } = config;
  if (!secret && idTokenAlg === "HS256") {
    report("idTokenAlg", "can be HS256 only for a client with a secret, which is the key");
  }
  if (!secret || !usesHmac(config)) return;
  if (new TextEncoder().encode(secret).length >= minHmacSecretBytes) return;
  const purpose = idTokenAlg === "HS256" ? "the idTokenAlg HS256" : "client_secret_jwt";
  report(
    "secret",
    `must have at least ${minHmacSecretBytes} bytes for ${purpose} (RFC 7518, section 3.2)`,
  );
}

function checkKeys(
  config: CoreClientConfig,
  authentication: readonly ClientAuthenticationMethod[],
  report: ReportProblem,
): void {
  const signs = authentication.includes("private_key_jwt") || config.requireSignedRequest;
  if (signs && !hasKeys(config)) {
    report("jwks", "is missing, but the client signs with its own keys; set jwks or jwksUri");
  }
  const { keys = [] } = config.jwks ?? {};
  if (signs && keys.length > 0 && keys.every(signsNothing)) {
    const options = `add one that signs, or set authentication to ["none"]`;
    report("jwks", `has no key that signs, but the client signs with its own; ${options}`);
  }
  checkKeySet(config, report);
}

/** Reports unusable keys, and a set of keys that is given twice. */
export function checkKeySet(
  { jwks, jwksUri }: Pick<CoreClientConfig, "jwks" | "jwksUri">,
  report: ReportProblem,
): void {
  if (jwks && jwksUri) report("jwksUri", "cannot be combined with jwks");
  for (const [at, key] of (jwks?.keys ?? []).entries()) {
    const problem = clientKeyProblem(key);
    if (problem) report(`jwks.keys[${at}]`, problem);
  }
}

/** Reports an algorithm with which a client must not sign. */
export function checkAlg(
  path: string,
  alg: string | undefined,
  allowed: readonly string[],
  report: ReportProblem,
): void {
  if (alg === undefined || allowed.includes(alg)) return;
  const problem = allowed.length > 0
    ? `must be one of: ${allowed.join(", ")}`
    : "is set, but the client signs no assertions";
  report(path, problem);
}
