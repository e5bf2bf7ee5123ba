import { lazyModule } from "../../server/util/lazy_module.ts";
import { once } from "../../server/util/time/promises.ts";
import type { HeadlessBrowser } from "../browser/headless_browser.ts";
import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import { urlAtBase } from "../dialect/played_hosts.ts";
import { drawFlowOfUrl } from "../flows/text_diagram.ts";
import { type LabParts, recordedIn, type RecordedParts } from "../handling/lab_parts.ts";
import { waitOnClock } from "../handling/wait_on_clock.ts";
import { describeLastRefusal } from "../recording/refusal.ts";
import { LabError } from "../util/lab_error.ts";

const { createHeadlessBrowser } = lazyModule(() => import("../browser/headless_browser.ts"));
const { authorizeAs, pageUrl } = lazyModule(() => import("../browser/play_user.ts"));

/** Creates the tools that sign users in on the real pages, with a `fetch` that reaches the lab. */
export function createLabBrowsers(parts: LabParts, fetch: CoreLab["fetch"]) {
  const { server, clock, recorder, cookies } = parts;
  const context = () => server.current().context;
  const takesAnyUser = server.unknownUsers !== undefined;

  function browser(name?: string): HeadlessBrowser {
    // The browser with a name keeps its cookies until a reset.
    const known = name === undefined ? undefined : cookies.get(name);
    const own = known ?? new Map<string, string>();
    if (name !== undefined) cookies.set(name, own);
    const { addresses, paths } = context().settings;
    const open = once(() =>
      createHeadlessBrowser({
        fetch,
        addresses,
        paths,
        ownUrl: (url) => urlAtBase(url, parts.base, parts.config().dialect?.hosts),
        describeLastRefusal: (url) => describeLastRefusal(recorder.all(), url),
        now: clock.now,
        waitUntil: (instant) => waitOnClock(parts, instant),
      }, own)
    );
    return {
      cookies: own,
      async authorize(url, actions = {}) {
        const played = { context: context(), takesAnyUser, now: clock.now() };
        try {
          return await authorizeAs(played, await open(), url, actions);
        } catch (cause) {
          throw cause instanceof LabError ? withDiagram(cause, url, parts) : cause;
        }
      },
      async signOut(url) {
        const unasked = context().hooks.unasked?.sessions.keys() ?? [];
        if (own.size === 0 && [...unasked].length === 0) {
          throw new LabError("No user has signed in in this browser: nothing would end.");
        }
        return await (await open()).signOut((await pageUrl(context(), url)).href);
      },
    };
  }

  return {
    browser,
    authorize: (url, actions) => browser().authorize(url, actions),
  } satisfies Partial<CoreTools>;
}

/** Adds the diagram of the flow in which an authorization got stuck. */
function withDiagram(error: LabError, url: string, parts: RecordedParts): LabError {
  const diagram = drawFlowOfUrl(url, recordedIn(parts));
  return diagram === undefined ? error : new LabError(`${error.message}\n\n${diagram}`);
}
