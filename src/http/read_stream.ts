/** Reads a stream of UTF-8 to its end; more bytes than are allowed are an error. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  largest: number,
  tooLarge: () => Error,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > largest) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
