import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes an empty folder, which is deleted when it is disposed of. */
export async function openFolder(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-program-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Calls a function with an empty folder, and deletes the folder afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  await using opened = await openFolder();
  return await act(opened.folder);
}
