import type { ClientAuthenticationMethod } from "../model/client.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { clientAlgorithms } from "../model/signing.ts";
import { clientAssertionAlgorithms } from "../protocol/client_assertion.ts";
import { clientKeyProblem } from "../protocol/client_key.ts";
import type { Profile } from "./profiles/profile.ts";
import type { ReportProblem } from "./shape.ts";

/** The ways in which a client may authenticate: those that it names, or those that fit what it holds. */
export function authenticationOf(config: ClientConfig): ClientAuthenticationMethod[] {
  if (config.authentication) return config.authentication;
  if (config.secret) return ["client_secret_basic", "client_secret_post"];
  return hasKeys(config) ? ["private_key_jwt"] : ["none"];
}

/** Tells what is wrong with that by which a client proves who it is, and what it asks for. */
export function checkProof(config: ClientConfig, { algs }: Profile, report: ReportProblem): void {
  const authentication = authenticationOf(config);
  const uses = (...methods: ClientAuthenticationMethod[]) =>
    methods.some((method) => authentication.includes(method));
  const needsKeys = uses("private_key_jwt") || config.requireSignedRequest === true;
  if (config.secret && uses("none")) {
    report("authentication", "says 'none', but the client has a secret");
  }
  if (!config.secret && uses("client_secret_basic", "client_secret_post", "client_secret_jwt")) {
    report("secret", "is missing, but the client authenticates with one");
  }
  if (config.secret && uses("client_secret_jwt") && bytesOf(config.secret) < 32) {
    report("secret", "must have at least 32 bytes for client_secret_jwt (RFC 7518, section 3.2)");
  }
  if (needsKeys && !hasKeys(config)) {
    report("jwks", "is missing, but the client signs with keys of its own; give them, or jwksUri");
  }
  if (config.jwks && config.jwksUri) report("jwksUri", "stands beside jwks; give one of them");
  config.jwks?.keys.forEach((key, at) => {
    const problem = clientKeyProblem(key);
    if (problem) report(`jwks.keys[${at}]`, problem);
  });
  const assertionAlgs = authentication.flatMap((method) => clientAssertionAlgorithms(method, algs));
  reportUnknownAlg("authenticationAlg", config.authenticationAlg, assertionAlgs, report);
  reportUnknownAlg("requestObjectAlg", config.requestObjectAlg, clientAlgorithms(algs), report);
}

function hasKeys({ jwks, jwksUri }: ClientConfig): boolean {
  return jwks !== undefined || jwksUri !== undefined;
}

function reportUnknownAlg(
  path: string,
  alg: string | undefined,
  allowed: readonly string[],
  report: ReportProblem,
): void {
  if (alg === undefined || allowed.includes(alg)) return;
  report(
    path,
    allowed.length > 0
      ? `must be one of: ${allowed.join(", ")}`
      : "is given, but the client signs no assertions",
  );
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
