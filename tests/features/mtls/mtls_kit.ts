import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { toPem } from "../../../src/server/util/bytes/der.ts";
import { type Fields, type Kit, openKit, type ReadResponse } from "../../support/kit.ts";
import { type CertificateName, derOf } from "./read_certificates.ts";

export const redirectUri = "https://app.example/cb";

export const authorities = (["authority", "authority_of_names"] as const)
  .map((name) => toPem("CERTIFICATE", derOf(name))).join("");

/** A client that authenticates with a certificate, which an authority vouches for. */
export const vouched: ClientConfig = {
  id: "vouched",
  redirectUris: [redirectUri],
  authentication: ["tls_client_auth"],
  tlsClientAuthSubjectDn: "CN=plain",
};

/** A client that has registered its own certificate. */
export const registered: ClientConfig = {
  id: "registered",
  redirectUris: [redirectUri],
  authentication: ["self_signed_tls_client_auth"],
  jwks: { keys: [keyWith("by_ed")] },
};

/** A public client whose tokens are bound to its certificate. */
export const bound: ClientConfig = {
  id: "bound",
  redirectUris: [redirectUri],
  certificateBoundTokens: true,
};

/** A key with a certificate: what verifies its signatures is not what TLS needs. */
export function keyWith(name: CertificateName) {
  const x5c = [btoa(String.fromCharCode(...derOf(name)))];
  return { kty: "OKP", crv: "Ed25519", x: "A".repeat(43), x5c };
}

/** Writes a certificate as a proxy does (RFC 9440, section 2.2). */
export function byteSequence(name: CertificateName): string {
  return `:${btoa(String.fromCharCode(...derOf(name)))}:`;
}

/** Opens a server with mutual TLS, for a sender with these certificates. */
export function openMtls(
  clients: ClientConfig[],
  certificates: readonly CertificateName[],
  changes: Partial<LabConfig> = {},
): Kit {
  const kit = openKit({ mtls: { authorities }, clients, ...changes });
  kit.certificates = certificates.map(derOf);
  return kit;
}

/** Signs alice in, and redeems the code for a client that sends no secret. */
export async function redeemFor(
  kit: Kit,
  client_id: string,
  changes: Fields = {},
  asked: Fields = {},
): Promise<ReadResponse> {
  const toClient = { client_id, redirect_uri: redirectUri };
  const code = await kit.code({ ...toClient, scope: "openid", ...asked });
  return await kit.redeem(code, { ...toClient, ...changes });
}
