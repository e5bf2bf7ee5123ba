import { base64url } from "jose";

/** Newer runtimes encode bytes themselves, which jose makes use of. */
const encodesBytes = "toBase64" in Uint8Array.prototype;

/** The part of Node's `Buffer` that we use. */
interface NativeBuffer {
  from(text: string): NativeBytes;
  /** Copies nothing. */
  from(bytes: ArrayBufferLike, offset: number, length: number): NativeBytes;
}

interface NativeBytes extends Uint8Array<ArrayBuffer> {
  toString(encoding?: "base64url"): string;
}

/** Node's `Buffer` on Node, Bun and Deno. Node and Deno encode text far faster with it. */
export const nativeBuffer: NativeBuffer | undefined =
  (globalThis as { Buffer?: NativeBuffer }).Buffer;

const encoder = new TextEncoder();

/** Keeps a byte order mark, which belongs to the text here. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return nativeBuffer?.from(text) ?? encoder.encode(text);
}

/** Decodes UTF-8. Returns undefined if it is malformed. */
export function decodeUtf8(bytes: BufferSource): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Encodes bytes, or the UTF-8 of a text, in base64url without padding (RFC 7515, section 2). */
export function encodeBase64url(content: string | Uint8Array): string {
  if (!nativeBuffer) return base64url.encode(content);
  if (typeof content === "string") return nativeBuffer.from(content).toString("base64url");
  if (encodesBytes) return base64url.encode(content);
  const { buffer, byteOffset, byteLength } = content;
  return nativeBuffer.from(buffer, byteOffset, byteLength).toString("base64url");
}
