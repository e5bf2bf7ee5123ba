import { nativeBuffer } from "./native_buffer.ts";

const encoder = new TextEncoder();

/** Keeps a byte order mark, which belongs to the text here. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Encodes a text as UTF-8. */
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
