import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import { toPem } from "../../server/util/bytes/der.ts";
import { signCertificate } from "../certificates/sign_certificate.ts";

const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const signerAlgorithm = { name: "ECDSA", namedCurve: "P-256" };

/**
 * Responds with the keys of a lab in certificates, by their ids. Clients use the keys alone: what
 * signs the certificates is forgotten.
 */
export async function respondWithCertificates({ keys }: Context): Promise<ResponseData> {
  const keySet: { keys: JsonWebKey[] } = JSON.parse(await keys.keySet());
  const { privateKey: signer } = await crypto.subtle.generateKey(signerAlgorithm, false, ["sign"]);
  const certificates = keySet.keys
    .filter(({ kty }) => kty === "RSA")
    .map(async (jwk) => [String(Reflect.get(jwk, "kid")), await certificateOf(jwk, signer)]);
  return jsonResponse(Object.fromEntries(await Promise.all(certificates)));
}

async function certificateOf(jwk: JsonWebKey, signer: CryptoKey): Promise<string> {
  const publicKey = await crypto.subtle.importKey("jwk", jwk, rsa, true, ["verify"]);
  const name = "A key of a Hallpass lab";
  const content = { subject: name, issuer: name, publicKey, signer, extensions: [] };
  return toPem("CERTIFICATE", await signCertificate(content));
}
