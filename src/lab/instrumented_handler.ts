import type { InternalServer } from "../server.ts";
import { hintedUser, signInByHint } from "./browser/hint_sign_in.ts";
import type { LabClock } from "./clock.ts";
import { dropped } from "./faults/fault.ts";
import type { Faults } from "./faults/faults.ts";
import { LabError } from "./lab_error.ts";
import type { LabEvent } from "./lab_event.ts";
import { readWireResponse, type WireRequest } from "./recording/exchange.ts";
import { isSecretOfPublicClient } from "./recording/public_clients.ts";
import type { Recorder } from "./recording/recorder.ts";
import type { Timeline } from "./recording/timeline.ts";
import type { Waits } from "./waits.ts";

/** What stands around the `fetch` of a server, which knows nothing of it. */
export interface LabInstruments {
  clock: LabClock;
  recorder: Recorder;
  timeline: Timeline;
  faults: Faults;
  waits: Waits;
  /** Refresh tokens that stand for others: what a client was shown, and what the server knows. */
  aliases: Map<string, string>;
  signInByHint: boolean;
  tell(event: LabEvent): void;
}

/** What a client or a browser asks of the protocol; the lab's own pages and powers are nobody's business. */
export function isRecorded({ path }: WireRequest): boolean {
  return path.startsWith("/oauth2/") || path.startsWith("/.well-known/") || path === "/device";
}

/** The answer of the server, or what the faults make of it; both are recorded. */
export async function handleWithInstruments(
  around: LabInstruments,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  const { clock, recorder, timeline, faults, waits, aliases } = around;
  const began = recorder.mark();
  let gaveUp: number | undefined;
  request.signal.addEventListener("abort", () => gaveUp ??= recorder.mark());
  const secretOfPublicClient = await isSecretOfPublicClient(server.context, wireRequest);
  let genuine: Response | undefined;
  const proceed = async () => {
    genuine = await serve(around, server, wireRequest, request);
    return await readWireResponse(genuine);
  };
  const meeting = {
    server,
    request: wireRequest,
    findFlow: () => timeline.find(wireRequest),
    aliases,
    wait: waits.wait,
  };
  const { response, struck } = await faults.respond(meeting, proceed);
  const observed = {
    at: clock.now(),
    request: wireRequest,
    // Whoever has given up waiting has got no answer, and may ask again.
    response: response === dropped || gaveUp !== undefined ? undefined : response,
    faults: struck,
    secretOfPublicClient,
  };
  timeline.observe(recorder.record(observed, began, gaveUp));
  const { method, path, client } = wireRequest;
  for (const fault of struck) around.tell({ type: "fault.fired", fault, method, path, client });
  if (response === dropped) return brokenResponse();
  if (struck.length === 0 && genuine) return genuine;
  return new Response(response.body === "" ? null : response.body, {
    status: response.status,
    headers: response.headers,
  });
}

async function serve(
  around: LabInstruments,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  try {
    const user = around.signInByHint ? await hintedUser(server.context, wireRequest) : undefined;
    if (user !== undefined) {
      return await signInByHint(server.fetch, server.context, wireRequest, user);
    }
  } catch (cause) {
    if (cause instanceof LabError) return plainText(cause.message, 400);
    throw cause;
  }
  return await server.fetch(withAlias(request, wireRequest, around.aliases));
}

function plainText(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

/** Sends what the server knows in place of what the client was shown. */
function withAlias(
  request: Request,
  { form, headers }: WireRequest,
  aliases: ReadonlyMap<string, string>,
): Request {
  const real = aliases.get(form.get("refresh_token") ?? "");
  if (real === undefined) return request;
  const body = new URLSearchParams(form);
  body.set("refresh_token", real);
  const { "content-length": _, ...others } = headers;
  return new Request(request.url, { method: "POST", headers: others, body: body.toString() });
}

/** The answer whose connection breaks while it is read. */
export class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";
}

function brokenResponse(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // What breaks within the same turn, Bun takes for the end.
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      controller.error(
        new BrokenConnection("The lab broke the connection off, as a fault asked it to."),
      );
    },
  });
  return new Response(body, {
    status: 200,
    headers: { "Content-Type": "application/json", "X-Lab-Fault": "dropped" },
  });
}
