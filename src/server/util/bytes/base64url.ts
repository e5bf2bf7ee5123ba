import { base64url } from "jose";
import { nativeBuffer } from "./encoding.ts";

/** Newer runtimes encode bytes themselves, which jose makes use of. */
const encodesBytes = "toBase64" in Uint8Array.prototype;

/** Encodes bytes, or the UTF-8 of a text, in base64url without padding (RFC 7515, section 2). */
export function encodeBase64url(content: string | Uint8Array): string {
  if (!nativeBuffer) return base64url.encode(content);
  if (typeof content === "string") return nativeBuffer.from(content).toString("base64url");
  if (encodesBytes) return base64url.encode(content);
  const { buffer, byteOffset, byteLength } = content;
  return nativeBuffer.from(buffer, byteOffset, byteLength).toString("base64url");
}
