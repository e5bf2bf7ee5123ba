import { createHeadlessBrowser } from "../browser/headless_browser.ts";
import { authorizeAs } from "../browser/play_user.ts";
import type { Lab } from "../control/lab.ts";
import { drawFlowOfUrl } from "../flows/flow_diagrams.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { waitOnClock } from "../handling/wait_on_clock.ts";
import { describeRefused } from "../recording/refusal.ts";
import { LabError } from "../util/lab_error.ts";
import { recordedIn } from "./lab_evidence.ts";

/** The members of a lab that sign users in on the real pages. */
export type LabBrowsers = Pick<Lab, "browser" | "authorize">;

/** Creates the members of a lab that sign users in, with a `fetch` that reaches the lab. */
export function createLabBrowsers(parts: LabParts, fetch: Lab["fetch"]): LabBrowsers {
  const { server, clock, recorder } = parts;
  const context = () => server.current().context;

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
        return await authorizeAs(context(), browser(), url, actions);
      } catch (cause) {
        throw cause instanceof LabError ? withDiagram(cause, url, parts) : cause;
      }
    },
  };
}

/** Adds the diagram of the flow in which an authorization got stuck. */
function withDiagram(error: LabError, url: string, parts: LabParts): LabError {
  const diagram = drawFlowOfUrl(url, recordedIn(parts));
  return diagram === undefined ? error : new LabError(`${error.message}\n\n${diagram}`);
}
