import { createHeadlessBrowser } from "../browser/headless_browser.ts";
import { authorizeAs } from "../browser/play_user.ts";
import type { CoreLab, CoreTools } from "../core/core_lab.ts";
import { drawFlowOfUrl } from "../flows/flow_diagrams.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { recordedIn } from "../handling/recorded_flows.ts";
import { waitOnClock } from "../handling/wait_on_clock.ts";
import { describeRefused } from "../recording/refusal.ts";
import { LabError } from "../util/lab_error.ts";

/** Creates the tools that sign users in on the real pages, with a `fetch` that reaches the lab. */
export function createLabBrowsers(parts: LabParts, fetch: CoreLab["fetch"]) {
  const { server, clock, recorder } = parts;
  const context = () => server.current().context;
  const takesAnyUser = server.unknownUsers !== undefined;

  function browser() {
    const { addresses, paths } = context().settings;
    return createHeadlessBrowser({
      fetch,
      addresses,
      paths,
      describeRefused: (url) => describeRefused(recorder.all(), url),
      now: clock.now,
      waitUntil: (instant) => waitOnClock(parts, instant),
    });
  }

  return {
    browser,
    async authorize(url, actions = {}) {
      try {
        return await authorizeAs({ context: context(), takesAnyUser }, browser(), url, actions);
      } catch (cause) {
        throw cause instanceof LabError ? withDiagram(cause, url, parts) : cause;
      }
    },
  } satisfies Partial<CoreTools>;
}

/** Adds the diagram of the flow in which an authorization got stuck. */
function withDiagram(error: LabError, url: string, parts: LabParts): LabError {
  const diagram = drawFlowOfUrl(url, recordedIn(parts));
  return diagram === undefined ? error : new LabError(`${error.message}\n\n${diagram}`);
}
