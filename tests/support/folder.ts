import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls a function with an empty folder, and deletes the folder afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-program-"));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
