type ByteStream = AsyncIterable<Uint8Array>;

/** Reads a stream of UTF-8 completely, and throws `tooLarge()` after `maxBytes` bytes. */
export async function readStream(
  stream: ByteStream | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<string> {
  return new TextDecoder().decode(await readBytes(stream, maxBytes, tooLarge));
}

/** Reads a stream completely, and throws `tooLarge()` after `maxBytes` bytes. */
export async function readBytes(
  stream: ByteStream | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = stream?.[Symbol.asyncIterator]();
  for (let next = await iterator?.next(); next && !next.done; next = await iterator?.next()) {
    length += next.value.length;
    if (length > maxBytes) {
      // A cloned body ends together with its other half, which may be read later.
      iterator?.return?.()?.catch(() => {});
      throw tooLarge();
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
