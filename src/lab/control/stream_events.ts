import type { Lab } from "../lab.ts";

/** Streams every event from now on, until the listener disconnects or the lab is released. */
export function streamEvents(lab: Lab): Response {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = lab.subscribe((event) =>
        send(`event: ${event.type}\ndata: ${JSON.stringify(event, errorsAsText)}\n\n`)
      );
      // A comment shows the listener at once that the stream works.
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
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
  });
}

/** JSON shows no member of an error. */
function errorsAsText(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
