import { base64url } from "jose";

/** The part of Node's `Buffer` that we use where the runtime has it (Node, Bun, Deno). */
interface NativeBuffer {
  from(content: string | Uint8Array): { toString(encoding: "base64url"): string };
}

const { Buffer } = globalThis as { Buffer?: NativeBuffer };

/** Encodes bytes, or the UTF-8 of a text, in base64url without padding (RFC 7515, section 2). */
export function encodeBase64url(content: string | Uint8Array): string {
  return Buffer ? Buffer.from(content).toString("base64url") : base64url.encode(content);
}
