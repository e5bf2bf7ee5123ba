import { messageOf } from "../../../server/util/text/error_message.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { createDeferred } from "../../../server/util/time/promises.ts";
import type { GradedApplication } from "../../core/remarks.ts";
import type { Finding } from "../../findings/finding.ts";
import type { SeenFact } from "../../findings/grade.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApplicationTarget } from "./application_browser.ts";
import type { DrillApplication } from "./application_login.ts";
import type { DrillBrowser } from "./drill_browser.ts";
import {
  type BrowsedApplication,
  type DrillLogin,
  type DrillProgress,
  type DrillResult,
  FailedLogin,
  firstParagraph,
  hasResult,
  noResult,
} from "./drill_result.ts";
import type { FoundStep } from "./login_steps.ts";
import type { PreparedApplication } from "./prepare_login.ts";
import type { DrillName, DrillTries } from "./select_tries.ts";
import type { DrilledLab } from "./watch_lab.ts";

const noDrill: DrillProgress = { state: "none", total: 0, ...noResult };

type DrillParts = typeof import("./drill.ts");

let loaded: DrillParts | undefined;

/** Loads what a drill runs. A drill that starts after this shows its progress at once. */
export async function loadDrill(): Promise<DrillParts> {
  return loaded ??= await import("./drill.ts");
}

/** Creates what runs the drills of a lab, one at a time. */
export function createDrills(
  labOf: () => DrilledLab,
  { origins, traits, mark, wait, onProgress, onResult }: {
    /** The origins of applications that the lab may visit, besides those on this machine. */
    origins(): readonly string[];
    /** What is known of the provider that the lab plays. */
    traits(): readonly SeenFact[];
    mark(findings: readonly Finding[]): Finding[];
    /** Waits in real time, until the lab is closed. */
    wait(milliseconds: number): Promise<void>;
    /** Called after each step. */
    onProgress(progress: DrillProgress): void;
    /** Called with what adds a visited application to those of earlier drills. */
    onResult(add: (earlier: readonly GradedApplication[]) => readonly GradedApplication[]): void;
  },
) {
  let current = noDrill;
  /** What is known of each drill that provoked something, by its number. */
  let provoked = new Map<number, () => DrillProgress>();
  let count = 0;
  let isProvoking = false;
  /** The clients that took no part in the login. */
  let others: ReadonlySet<string> = new Set();
  /** Settles when no login of an earlier drill goes on. */
  let idle: Promise<void> = Promise.resolve();

  /** Begins a drill. Once it is cleared, its reports are ignored. */
  function begin(first: DrillProgress) {
    const last = hasResult(current) ? { ...current, last: undefined } : current.last;
    let latest = first;
    current = latest;
    const number = ++count;
    const isStopped = () => current !== latest;
    return {
      number,
      /** Whether it must stop before its next variant. */
      isStopped,
      report(change: Partial<DrillProgress>): void {
        if (isStopped()) return;
        latest = { ...latest, ...change };
        // A drill that could not begin hides no earlier result.
        if (latest.state === "stopped" && !hasResult(latest)) latest = { ...latest, last };
        current = latest;
        onProgress(current);
      },
      /** From here on, its requests have its number. A reset ends it, even if a login goes on. */
      provoke(): void {
        isProvoking = current !== noDrill;
        provoked.set(number, () => latest);
      },
    };
  }

  async function perform(
    given: DrillLogin,
    only: readonly DrillName[] | undefined,
    kind: { mcp?: boolean } = {},
  ): Promise<DrillResult> {
    const parts = loaded ?? await loadDrill();
    const variantsFor = kind.mcp ? parts.mcpVariantsFor : parts.loginVariantsFor;
    const tries = parts.selectTries(only, variantsFor(labOf().clients.list()));
    if (current.state === "running") throw new LabError("A drill is running. Wait until it ends.");
    const { browser: real, ...application }: Partial<BrowsedApplication> =
      typeof given === "function" ? {} : given;
    const login = typeof given === "function" ? given : application as DrillApplication;
    const browsers: DrillBrowser[] = [];
    const foreign = new Set<string>();
    const openReal = real && ((target: ApplicationTarget) => {
      const hosts = origins().map((origin) => new URL(origin).hostname);
      const { fetch } = labOf();
      const onForeign = (origin: string) => void foreign.add(origin);
      const opened = parts.createPlaywrightBrowser(target, {
        ...{ browser: real, fetch, hosts, onForeign },
      });
      browsers.push(opened);
      return opened;
    });
    const first = { ...kind, ...firstProgress(login, tries.variants.length) };
    const { number, isStopped, report, provoke } = begin(first);
    const earlier = idle;
    const ended = createDeferred<void>();
    idle = ended.promise;
    try {
      await earlier;
      const lastId = labOf().exchanges().at(-1)?.id ?? 0;
      const sought = { origins: origins(), steps: stepsOf(tries), open: openReal };
      const visited = typeof login === "function"
        ? undefined
        : await parts.prepareLogin(labOf(), login, sought);
      // The function of a test may take other parameters, so it does not get the variant.
      const attempt = visited?.login ?? (() => (login as () => Promise<unknown>)());
      let client: string | undefined;
      const found = await parts.runDrill(labOf(), attempt, {
        ...tries,
        // A client of the Model Context Protocol may have no pages at all.
        ...visited === undefined && kind.mcp && { checks: [] },
        visited,
        known: [...kind.mcp ? ["added servers"] as const : [], ...traits()],
        mark,
        isStopped,
        wait,
        onProgress(found) {
          if (!isProvoking) {
            others = clientsWithout(lastId);
            client = parts.findClientSince(lastId, labOf().exchanges());
            parts.claimRequests(labOf(), { number, lastId, isOf });
          }
          provoke();
          report({ ...found, ...visited && urlsOf(visited) });
        },
      }).finally(() => isProvoking && parts.endDrill(labOf(), number));
      const result = foreign.size === 0 ? found : withForeign(found, [...foreign]);
      if (typeof login !== "function") {
        const graded = parts.gradeApplication({ start: login.start, client }, result);
        onResult((applications) => parts.addApplication(applications, graded));
      }
      parts.markFindings(labOf(), result);
      report({ ...result, state: "finished" });
      return result;
    } catch (cause) {
      const field = cause instanceof LabError ? cause.field : undefined;
      const refusedRequest = cause instanceof FailedLogin ? cause.request : undefined;
      const problem = firstParagraph(messageOf(cause));
      report({ state: "stopped", problem, field, refusedRequest });
      throw cause;
    } finally {
      isProvoking = false;
      await Promise.all(browsers.map((each) => each.close()));
      ended.resolve();
    }
  }

  /** Returns the clients that have sent nothing since a request. */
  function clientsWithout(lastId: number): ReadonlySet<string> {
    const { exchanges, clients } = labOf();
    const drilled = exchanges().filter(({ id }) => id > lastId).map(({ request }) =>
      request.client
    );
    const ids = clients.list().map(({ id }) => id);
    return new Set(ids.filter((id) => !drilled.includes(id)));
  }

  function stop(): void {
    const { state, outcomes, total } = current;
    if (state !== "running") return;
    const problem = `It was stopped after ${outcomes.length} of ${counted(total, "login")}.`;
    current = { ...current, state: "stopped", problem };
    onProgress(current);
  }

  function isOf(client = ""): boolean {
    return !others.has(client);
  }

  return {
    run: (login: DrillLogin, only?: readonly DrillName[]) => perform(login, only),
    /** Runs a client of the Model Context Protocol in place of a login. */
    runMcp: (connect: DrillLogin, only?: readonly DrillName[]) =>
      perform(connect, only, { mcp: true }),
    progress: () => current,
    /** Returns what is known of a drill by its number, unless it was cleared. */
    find: (number: number) => provoked.get(number)?.(),
    /**
     * The number of the drill if a login meets its variants: it worked without them, and may now be
     * refused.
     */
    provoking: () => isProvoking ? count : undefined,
    /** Whether it may be the login of a client: others took no part in it before the variants. */
    isOf,
    /** Stops the current drill before its next variant, and keeps what it found. */
    stop,
    /** Does the same, and forgets the last one. */
    clear(): void {
      current = noDrill;
      provoked = new Map();
      isProvoking = false;
    },
  };
}

/** Adds to a result which requests its pages sent elsewhere. */
function withForeign(result: DrillResult, origins: readonly string[]): DrillResult {
  const text = `Requests of its pages to ${origins.join(", ")} got an empty response.`;
  const { verdict } = result;
  return { ...result, verdict: { ...verdict, notes: [...verdict.notes, { id: "origins", text }] } };
}

/** Returns the URLs of an application, with those that the drill has found. */
function urlsOf({ application }: PreparedApplication): Partial<DrillProgress> {
  const { start, check, refresh, logout } = application();
  return { start, check, refresh, logout };
}

/** Returns what may follow a login that the drill has to find. */
function stepsOf({ variants, checks }: DrillTries): FoundStep[] {
  const refreshes = variants.some(({ after }) => after === "refresh") ||
    checks.some(({ id }) => id === "second_refresh");
  const signsOut = variants.some(({ after }) => after === "logout") ||
    checks.some(({ isAfterSignOut }) => isAfterSignOut);
  return [...refreshes ? ["refresh"] as const : [], ...signsOut ? ["logout"] as const : []];
}

/** Returns the progress of a drill that begins, without the password. */
function firstProgress(login: DrillLogin, total: number): DrillProgress {
  const { password: _, ...shown }: Partial<DrillApplication> = typeof login === "function"
    ? {}
    : login;
  return { ...shown, state: "running", total, ...noResult };
}
