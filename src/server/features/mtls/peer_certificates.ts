import type { RequestContext } from "../../issuer/context.ts";
import { mtlsOf } from "./config.ts";

/** Returns the certificates that the sender of a request proved, in DER, its own first. */
export function peerCertificates({ request, settings }: RequestContext): readonly Uint8Array[] {
  return mtlsOf(settings) ? request.certificates ?? [] : [];
}
