import type { LabResponse } from "../core/core_lab.ts";
import type { PendingExchange } from "../layers/pending_exchange.ts";
import { droppedResponse, type WireResponse } from "../recording/exchange.ts";

/** Returns what is sent. A response that no layer changed is sent as it was made. */
export function toLabResponse(
  { made, failure }: PendingExchange,
  response: WireResponse,
): LabResponse {
  if (response === made?.read) return made.response;
  if (response === droppedResponse) return brokenResponse();
  return { failure, ...response, body: response.body || null };
}

/** The error of a client that reads a response whose connection the lab closed. */
class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection because of a fault.");
  }
}

/** Sends the beginning of a JSON body, and then fails. */
function brokenResponse(): LabResponse {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // Bun treats a stream that fails in the same task as one that ended.
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      controller.error(new BrokenConnection());
    },
  });
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ["X-Lab-Fault", "dropped"]],
    body,
    failure: new BrokenConnection(),
  };
}
