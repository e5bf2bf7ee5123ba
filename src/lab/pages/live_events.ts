import { streamEvents } from "../control/stream_events.ts";
import type { LabPageRoute } from "./lab_page.ts";

/**
 * Streams every event to a page of the lab. Programs use `/lab/events`, which never takes the
 * cookie of a browser.
 */
export const livePages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/live",
  handle: (lab) => streamEvents(lab),
}];
