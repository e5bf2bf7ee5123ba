import { messageOf } from "../../../server/util/text/error_message.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { createDeferred } from "../../../server/util/time/promises.ts";
import { LabError } from "../../util/lab_error.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { DrillApplication } from "./application_login.ts";
import {
  type DrillLogin,
  type DrillProgress,
  type DrillResult,
  firstParagraph,
  noResult,
} from "./drill_result.ts";
import type { DrilledLab } from "./prepare_login.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

const noDrill: DrillProgress = { state: "none", total: 0, ...noResult };

type DrillParts = typeof import("./drill.ts");

let loaded: DrillParts | undefined;

/** Loads what a drill runs. A drill that starts after this shows its progress at once. */
export async function loadDrill(): Promise<DrillParts> {
  return loaded ??= await import("./drill.ts");
}

/** Runs the drills of a lab, one at a time. */
interface Drills {
  run(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;
  /** Runs a client of the Model Context Protocol in place of a login. */
  runMcp(connect: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;
  progress(): DrillProgress;
  /** Stops the current drill before its next variant, and keeps what it found. */
  stop(): void;
  /** Does the same, and forgets the last one. */
  clear(): void;
}

/** What drills need besides the lab. */
interface DrillSettings {
  /** The origins of applications that the lab may visit, besides those on this machine. */
  origins(): readonly string[];
  /** Called after each step. */
  onProgress(progress: DrillProgress): void;
}

export function createDrills(
  labOf: () => DrilledLab,
  { origins, onProgress }: DrillSettings,
): Drills {
  let current = noDrill;
  /** Settles when no login of an earlier drill goes on. */
  let idle: Promise<void> = Promise.resolve();

  /** Begins a drill. Once it is cleared, its reports are ignored. */
  function begin(first: DrillProgress) {
    let latest = first;
    current = latest;
    const isStopped = () => current !== latest;
    return {
      /** Whether it must stop before its next variant. */
      isStopped,
      report(change: Partial<DrillProgress>): void {
        if (isStopped()) return;
        latest = { ...latest, ...change };
        current = latest;
        onProgress(current);
      },
    };
  }

  async function run(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult> {
    const { loginVariantsFor, selectVariants } = loaded ?? await loadDrill();
    const variants = loginVariantsFor(labOf().clients.list());
    return await perform(login, selectVariants(only, variants), {});
  }

  async function runMcp(connect: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult> {
    const { mcpVariantsFor, selectVariants } = loaded ?? await loadDrill();
    const variants = mcpVariantsFor(labOf().clients.list());
    return await perform(connect, selectVariants(only, variants), { mcp: true });
  }

  async function perform(
    login: DrillLogin,
    variants: readonly DrillVariant[],
    kind: Pick<DrillProgress, "mcp">,
  ): Promise<DrillResult> {
    const { prepareLogin, runDrill } = loaded ?? await loadDrill();
    if (current.state === "running") throw new LabError("A drill is running. Wait until it ends.");
    const { isStopped, report } = begin({ ...kind, ...firstProgress(login, variants.length) });
    const earlier = idle;
    const ended = createDeferred<void>();
    idle = ended.promise;
    try {
      await earlier;
      // The function of a test may take other parameters, so it does not get the variant.
      const attempt = typeof login === "function"
        ? () => login()
        : await prepareLogin(labOf(), login, origins());
      const result = await runDrill(labOf(), attempt, {
        variants,
        isStopped,
        onProgress: report,
      });
      report({ state: "finished" });
      return result;
    } catch (cause) {
      const field = cause instanceof LabError ? cause.field : undefined;
      report({ state: "stopped", problem: firstParagraph(messageOf(cause)), field });
      throw cause;
    } finally {
      ended.resolve();
    }
  }

  function stop(): void {
    const { state, outcomes, total } = current;
    if (state !== "running") return;
    const problem = `It was stopped after ${outcomes.length} of ${counted(total, "login")}.`;
    current = { ...current, state: "stopped", problem };
    onProgress(current);
  }

  return { run, runMcp, progress: () => current, stop, clear: () => void (current = noDrill) };
}

/** Returns the progress of a drill that begins, without the password. */
function firstProgress(login: DrillLogin, total: number): DrillProgress {
  const { password: _, ...shown }: Partial<DrillApplication> = typeof login === "function"
    ? {}
    : login;
  return { ...shown, state: "running", total, ...noResult };
}
