import type { InternalServer } from "../server.ts";
import { hintedUser, signInByHint } from "./browser/hint_sign_in.ts";
import { dropped } from "./faults/fault.ts";
import { LabError } from "./lab_error.ts";
import type { LabParts } from "./lab_parts.ts";
import { readWireResponse, type WireRequest } from "./recording/exchange.ts";
import { isSecretOfPublicClient } from "./recording/public_clients.ts";

/** What a client or a browser asks of the protocol; the lab's own pages and powers are nobody's business. */
export function isRecorded({ path }: WireRequest): boolean {
  return path.startsWith("/oauth2/") || path.startsWith("/.well-known/") || path === "/device";
}

/** The answer of the server, or what the faults make of it; both are recorded. */
export async function handleWithInstruments(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  const { clock, recorder, timeline, faults, waits, aliases } = parts;
  const began = recorder.mark();
  let gaveUp: number | undefined;
  request.signal.addEventListener("abort", () => gaveUp ??= recorder.mark());
  const secretOfPublicClient = await isSecretOfPublicClient(server.context, wireRequest);
  let genuine: Response | undefined;
  const proceed = async () => {
    genuine = await serve(parts, server, wireRequest, request);
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
  for (const fault of struck) {
    parts.events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
  }
  if (response === dropped) return brokenResponse();
  if (struck.length === 0 && genuine) return genuine;
  return new Response(response.body === "" ? null : response.body, {
    status: response.status,
    headers: response.headers,
  });
}

async function serve(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  try {
    const user = parts.signInByHint ? await hintedUser(server.context, wireRequest) : undefined;
    if (user !== undefined) {
      return await signInByHint(server.fetch, server.context, wireRequest, user);
    }
  } catch (cause) {
    if (cause instanceof LabError) return plainText(cause.message, 400);
    throw cause;
  }
  return await server.fetch(withAlias(request, wireRequest, parts.aliases));
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

/** The error of a response whose connection breaks while it is read. */
export class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection, because a fault told it to.");
  }
}

function brokenResponse(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // What breaks within the same turn, Bun takes for the end.
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      controller.error(new BrokenConnection());
    },
  });
  return new Response(body, {
    status: 200,
    headers: { "Content-Type": "application/json", "X-Lab-Fault": "dropped" },
  });
}
