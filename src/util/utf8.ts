/** Keeps a byte order mark, which belongs to the text here. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. Returns undefined if it is malformed. */
export function decodeUtf8(bytes: BufferSource): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
