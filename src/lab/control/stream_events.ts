import type { ResponseData } from "../../server/http/response_data.ts";
import type { CoreLab } from "../core/core_lab.ts";

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

/** Replaces errors by their messages: JSON writes an `Error` as `{}`. */
function replaceErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
