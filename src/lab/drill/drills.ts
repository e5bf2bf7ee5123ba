import type { UserConfig } from "../../server/config/user_config.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { createApplicationBrowser } from "../browser/application_browser.ts";
import type { HeadlessBrowser } from "../browser/headless_browser.ts";
import { authorizeAs } from "../browser/play_user.ts";
import type { FaultName } from "../faults/catalogue.ts";
import { LabError } from "../util/lab_error.ts";
import { continueAfterLogin } from "./after_login.ts";
import {
  checkSignedOut,
  type DrillApplication,
  logIn,
  type LoginTools,
} from "./application_login.ts";
import {
  type DrilledLogin,
  type DrillResult,
  firstParagraph,
  resultOf,
  runDrill,
} from "./drill.ts";
import type { DrillOutcome } from "./drill_outcome.ts";
import type { DrillLogin, DrillProgress } from "./drill_progress.ts";
import { selectVariants } from "./variants.ts";
import type { DrillTarget } from "./watch_lab.ts";

/** The parts of a lab that the login of an application needs. */
interface DrilledLab extends DrillTarget {
  readonly handsFreeUser: string | undefined;
  readonly users: { list(): readonly UserConfig[] };
  browser(): HeadlessBrowser;
}

/** Runs the drills of a lab, one at a time. */
export interface Drills {
  run(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult>;
  progress(): DrillProgress;
  /** Stops the current drill before its next variant, and forgets the last one. */
  clear(): void;
}

/** What drills need besides the lab. */
export interface DrillSettings {
  /** The origins of applications that the lab may visit, besides those on this machine. */
  origins: readonly string[];
  /** Called after each step. */
  onProgress(progress: DrillProgress): void;
}

/** A drill that has begun. */
interface BegunDrill {
  /** Whether it must stop before its next variant. */
  isStopped(): boolean;
  report(change: Partial<DrillProgress>): void;
}

const noDrill: DrillProgress = { state: "none", total: 0, ...resultOf([]) };

export function createDrills(
  labOf: () => DrilledLab,
  { origins, onProgress }: DrillSettings,
): Drills {
  let current = noDrill;

  /** Begins a drill. Its reports are ignored once it is cleared: nothing wants the result. */
  function begin(first: DrillProgress): BegunDrill {
    let latest = first;
    current = latest;
    const isStopped = () => current !== latest;
    return {
      isStopped,
      report(change) {
        if (isStopped()) return;
        latest = { ...latest, ...change };
        current = latest;
        onProgress(current);
      },
    };
  }

  async function run(login: DrillLogin, only?: readonly FaultName[]): Promise<DrillResult> {
    if (current.state === "running") throw new LabError("A drill is running. Wait until it ends.");
    const { isStopped, report } = begin(firstProgress(login, selectVariants(only).length));
    try {
      // The function of a test may take other parameters, so it does not get the variant.
      const attempt = typeof login === "function"
        ? () => login()
        : await prepare(labOf(), login, origins);
      const result = await runDrill(labOf(), attempt, {
        only,
        isStopped,
        onProgress: (outcomes: readonly DrillOutcome[]) => report(resultOf(outcomes)),
      });
      report({ state: "finished" });
      return result;
    } catch (cause) {
      report({ state: "stopped", problem: firstParagraph(messageOf(cause)) });
      throw cause;
    }
  }

  return { run, progress: () => current, clear: () => void (current = noDrill) };
}

/** Returns the progress of a drill that begins, without the password. */
function firstProgress(login: DrillLogin, total: number): DrillProgress {
  const { password: _, ...shown }: Partial<DrillApplication> = typeof login === "function"
    ? {}
    : login;
  return { ...shown, state: "running", total, ...resultOf([]) };
}

/** Returns the login of an application, after it has been checked that it can be drilled. */
async function prepare(
  lab: DrilledLab,
  application: DrillApplication,
  origins: readonly string[],
): Promise<DrilledLogin> {
  const tools = loginTools(lab, origins);
  const checked = checkApplication(lab, application);
  await checkSignedOut(checked, tools);
  return async (variant) => {
    const signedIn = await logIn(checked, tools);
    await continueAfterLogin(checked, signedIn, variant);
  };
}

function checkApplication(lab: DrilledLab, application: DrillApplication): DrillApplication {
  const { start, check, refresh, logout, user, password } = application;
  for (const [name, value] of Object.entries({ start, check, refresh, logout })) {
    if (name !== "start" && value === undefined) continue;
    if (typeof value !== "string" || !URL.canParse(value)) {
      throw new LabError(`The '${name}' of a drill must be a URL of your application.`);
    }
  }
  const anyone = lab.handsFreeUser === undefined ? lab.users.list()[0]?.name : undefined;
  return { start, check, refresh, logout, user: user ?? anyone, password };
}

/** Allows visits only to applications on this machine, or of a configured origin. */
function loginTools(lab: DrilledLab, origins: readonly string[]): LoginTools {
  const { settings } = lab.context;
  const labOrigins = settings.addresses.map((address) => new URL(address).origin);
  return {
    openBrowser: () =>
      createApplicationBrowser({
        fetch: settings.fetch,
        now: Date.now,
        isLab: ({ origin }) => labOrigins.includes(origin),
        isAllowed: ({ origin, hostname }) => isLoopbackHost(hostname) || origins.includes(origin),
      }),
    openLabBrowser() {
      const browser = lab.browser();
      return {
        authorize: (url, actions = {}) => authorizeAs(lab.context, browser, url, actions),
        signOut: browser.signOut,
      };
    },
  };
}
