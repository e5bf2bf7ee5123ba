import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lends an empty folder, and takes it away afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-program-"));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
