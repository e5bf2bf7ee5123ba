import type { Lab } from "../lab.ts";

/** Tells of everything that happens from now on, until the listener or the lab goes. */
export function streamEvents(lab: Lab): Response {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const stopListening = lab.subscribe((event) =>
        send(`event: ${event.type}\ndata: ${JSON.stringify(event, withoutErrors)}\n\n`)
      );
      // A comment, so that whoever listens knows at once that it works.
      send(": listening\n\n");
      const forget = lab.onRelease(() => {
        stop();
        controller.close();
      });
      stop = () => {
        stopListening();
        forget();
      };
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
  });
}

/** An error has no members that JSON would show. */
function withoutErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
