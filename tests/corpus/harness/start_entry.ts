import type { Entry } from "../entry.ts";
import { installed } from "./installations.ts";
import type { MeasuredLab } from "./measured_lab.ts";
import { findPort, type RunningProcess, startProcess, untilItResponds } from "./processes.ts";

export const clientId = "corpus";
export const clientSecret = "the-secret-of-the-corpus-with-40-letters";

/** What starts something of the corpus. */
export interface StartableEntry
  extends Pick<Entry, "toolchain" | "start" | "env" | "startSeconds"> {
  /** A path that responds with 200 once it has started, if a proxy in it responds earlier. */
  health?: string;
}

/** Something of the corpus that listens. */
export interface StartedEntry {
  base: string;
  started: RunningProcess;
}

/**
 * Installs and starts an entry. `prepare` is called with its URL before it starts, and may return
 * variables for its environment.
 */
export async function startEntry(
  { toolchain, start, env = {}, startSeconds = 120, health }: StartableEntry,
  { issuer }: Pick<MeasuredLab, "issuer">,
  added: Record<string, string> = {},
  prepare: (base: string) => Promise<Record<string, string> | void> = () => Promise.resolve(),
): Promise<StartedEntry> {
  const cwd = await installed(toolchain);
  const port = await findPort();
  const base = `http://localhost:${port}`;
  const prepared = await prepare(base);
  const started = startProcess(start, {
    cwd,
    env: {
      ...env,
      ...added,
      ISSUER: issuer,
      PORT: String(port),
      BASE_URL: base,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      ...prepared,
    },
  });
  try {
    const isUp = (status: number) => health === undefined || status === 200;
    await untilItResponds(base + (health ?? "/"), started, startSeconds, isUp);
    return { base, started };
  } catch (cause) {
    await started[Symbol.asyncDispose]();
    throw cause;
  }
}
