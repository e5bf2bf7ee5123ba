import type { ResponseData } from "../../server/http/response_data.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { Operation, OperationCall } from "../core/operation.ts";
import type { RecordedRequest } from "../recording/recorded_request.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";

export const recordOperations: readonly Operation[] = [
  {
    method: "GET",
    path: "/requests",
    summary: "Lists the recorded requests with their responses, the newest last.",
    query: {
      path: "Only requests with this path below the issuer: /oauth2/token.",
      method: "Only requests with this method.",
      client: "Only requests of this client.",
      status: "Only requests whose response has this status.",
      wait: "How long to wait for a request if there is none: 5s.",
      secrets: "true shows secrets.",
    },
    returns: "RecordedRequest[]",
    run: listRequests,
  },
  {
    method: "DELETE",
    path: "/requests",
    summary: "Deletes all recorded requests of the lab or tenant, those of earlier tests as " +
      "well: no report counts them.",
    run: (lab) => lab.clearRequests(),
  },
  {
    method: "GET",
    path: "/flows",
    summary: "Lists what happened in each authorization.",
    returns: "FlowTrace[]",
    run: (lab) => lab.flows(),
  },
  {
    method: "GET",
    path: "/events",
    summary: "Streams every event from now on, as server-sent events.",
    otherFormats: ["text/event-stream"],
    run: streamEvents,
  },
];

/** Streams every event from now on, until the client disconnects or the lab is closed. */
export function streamEvents(lab: CoreLab): ResponseData {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = lab.subscribe((event) =>
        send(`event: ${event.type}\ndata: ${JSON.stringify(event, replaceErrors)}\n\n`)
      );
      // A comment of the stream, so that the client receives something at once.
      send(": listening\n\n");
      const unregister = lab.onRelease(() => {
        stop();
        controller.close();
      });
      stop = () => {
        unsubscribe();
        unregister();
      };
    },
    cancel: () => stop(),
  });
  const headers = [["Content-Type", "text/event-stream"], ["Cache-Control", "no-store"]] as const;
  return { status: 200, headers, body };
}

async function listRequests(lab: CoreLab, { query }: OperationCall): Promise<RecordedRequest[]> {
  const value = (name: string) => query.get(name) || undefined;
  const status = value("status") === undefined ? undefined : Number(value("status"));
  if (Number.isNaN(status)) throw new LabError("The 'status' must be a number.");
  const filter = {
    path: value("path"),
    method: value("method"),
    client: value("client"),
    status,
    secrets: value("secrets") === "true",
  };
  const wait = value("wait") === undefined ? 0 : readSpan(value("wait"));
  if (wait > 0 && lab.requests(filter).length === 0) await lab.nextRequest(filter, wait);
  return lab.requests(filter);
}

/** Replaces errors by their messages: JSON writes an `Error` as `{}`. */
function replaceErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
