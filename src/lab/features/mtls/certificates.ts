import type { JWK } from "jose";
import { derBoolean, derSequence, toPem } from "../../../server/util/bytes/der.ts";
import { sha256OfBytes } from "../../../server/util/crypto/hash.ts";
import { once } from "../../../server/util/time/promises.ts";
import {
  authorityKey,
  certificateSigning,
  digitalSignature,
  extension,
  subjectKey,
} from "../../certificates/certificate_extensions.ts";
import { keyIdOf, makeKeyPair } from "../../certificates/lab_certificate.ts";
import { signCertificate } from "../../certificates/sign_certificate.ts";

/** The certificate of a client, for a test. */
export interface ClientCertificate {
  /** The certificate, in PEM. */
  cert: string;
  /** Its private key, in PEM. */
  key: string;
  /** The certificate of the authority that signed it, in PEM, for an API that checks it. */
  ca: string;
  /** What a client has as `jwks: { keys: [jwk] }` for `self_signed_tls_client_auth`. */
  jwk: JWK;
  /** What tokens that are bound to it have as `cnf.x5t#S256`. */
  thumbprint: string;
}

const authorityName = "Clients of a Hallpass lab, for tests only";

/** A test may set the clock of a lab to any time. */
const validity = [new Date("2000-01-01"), new Date("2049-12-31")] as const;

const ofAuthority = [
  extension("basicConstraints", derSequence(derBoolean(true)), true),
  extension("keyUsage", certificateSigning, true),
];

const ofClient = [
  extension("basicConstraints", derSequence(), true),
  extension("keyUsage", digitalSignature, true),
];

/** The authority that all labs of this process trust. Its key is never exported. */
export const clientAuthority = once(async (): Promise<{
  /** Its certificate, in PEM. */
  ca: string;
  certify(client: string): Promise<ClientCertificate & { der: Uint8Array }>;
}> => {
  const { publicKey, privateKey: signer } = await makeKeyPair(false);
  const shared = { issuer: authorityName, signer, validity };
  const keyId = await keyIdOf(publicKey);
  const extensions = [...ofAuthority, subjectKey(keyId)];
  const names = { subject: authorityName, publicKey, extensions };
  const ca = toPem("CERTIFICATE", await signCertificate({ ...shared, ...names }));
  return {
    ca,
    async certify(client) {
      const own = await makeKeyPair(true);
      const extensions = [...ofClient, authorityKey(keyId)];
      const names = { subject: client, publicKey: own.publicKey, extensions };
      const der = await signCertificate({ ...shared, ...names });
      const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", own.privateKey));
      const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", own.publicKey) as JWK;
      return {
        der,
        ca,
        cert: toPem("CERTIFICATE", der),
        key: toPem("PRIVATE KEY", key),
        jwk: { kty, crv, x, y, x5c: [btoa(String.fromCharCode(...der))] } as JWK,
        thumbprint: await sha256OfBytes(der),
      };
    },
  };
});
