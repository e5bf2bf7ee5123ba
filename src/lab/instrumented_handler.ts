import { errorBody, errorFactory } from "../protocol/oauth_error.ts";
import type { InternalServer } from "../server.ts";
import { messageOf } from "../util/error_message.ts";
import { hintedUser, signInByHint } from "./browser/hint_sign_in.ts";
import { respondWithoutPages } from "./browser/without_pages.ts";
import { dropped } from "./faults/fault.ts";
import { LabError } from "./lab_error.ts";
import type { LabParts } from "./lab_parts.ts";
import { readWireResponse, type WireRequest, type WireResponse } from "./recording/exchange.ts";
import { isSecretOfPublicClient } from "./recording/public_clients.ts";

/** The error of a response whose connection breaks while it is read. */
export class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection, because a fault told it to.");
  }
}

const hookErrors = new WeakMap<Response, unknown>();

/** Returns the error of the hook that failed instead of changing a response. */
export function hookErrorOf(response: Response): unknown {
  return hookErrors.get(response);
}

/** Whether a request belongs to the protocol. The lab's own pages and powers are not recorded. */
export function isRecorded({ path, endpoint }: WireRequest): boolean {
  return endpoint !== undefined || path.startsWith("/oauth2/") || path.startsWith("/.well-known/");
}

/** Returns the response of the server as the faults change it, and records both. */
export async function handleWithInstruments(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  const { clock, recorder, timeline, faults, hooks, waits, aliases } = parts;
  const began = recorder.mark();
  let gaveUp: number | undefined;
  request.signal.addEventListener("abort", () => gaveUp ??= recorder.mark());
  const secretOfPublicClient = await isSecretOfPublicClient(server.context, wireRequest);
  const findFlow = () => timeline.find(wireRequest);
  let original: Response | undefined;
  let hooked: string[] = [];
  let hookError: unknown;
  let isCompleted = false;
  const proceed = async () => {
    const { responseTypes } = parts;
    const translated = await responseTypes.translateRequest(server.context, request, wireRequest);
    original = await respond(parts, server, wireRequest, translated);
    const sent = await readWireResponse(original);
    const response = await responseTypes.completeResponse(server, wireRequest, sent);
    isCompleted = response !== sent;
    try {
      const changed = await hooks.apply({ server, request: wireRequest, findFlow }, response);
      hooked = changed.fired;
      return changed.response;
    } catch (cause) {
      hookError = cause;
      return failedHookResponse(cause);
    }
  };
  const { response, fired } = await faults.respond({
    server,
    request: wireRequest,
    findFlow,
    aliases,
    wait: waits.wait,
  }, proceed);
  timeline.observe(recorder.record(
    {
      at: clock.now(),
      request: wireRequest,
      // A client that gave up has no response, and may send the request again.
      response: response === dropped || gaveUp !== undefined ? undefined : response,
      faults: [...hooked, ...fired],
      secretOfPublicClient,
    },
    began,
    gaveUp,
  ));
  emitFaults(parts, wireRequest, fired);
  if (response === dropped) return brokenResponse();
  const isChanged = isCompleted || hooked.length > 0 || hookError !== undefined;
  if (!isChanged && fired.length === 0 && original) return original;
  const { status, headers, body } = response;
  const changed = new Response(body === "" ? null : body, { status, headers });
  if (hookError !== undefined) hookErrors.set(changed, hookError);
  return changed;
}

/** What a client in another process sees of a hook that throws. */
function failedHookResponse(cause: unknown): WireResponse {
  const error = errorFactory("server_error")(`A hook of the test failed: ${messageOf(cause)}`);
  return {
    status: 500,
    headers: [["Content-Type", "application/json"], ["Cache-Control", "no-store"]],
    body: JSON.stringify(errorBody(error)),
  };
}

function emitFaults({ events }: LabParts, request: WireRequest, fired: readonly string[]): void {
  const { method, path, client } = request;
  for (const fault of fired) {
    events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
  }
}

async function respond(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  try {
    const user = parts.signInByHint ? await hintedUser(server.context, wireRequest) : undefined;
    if (user !== undefined) return await signInByHint(server, wireRequest, user);
    const { handsFree } = parts;
    const response = await respondWithoutPages(server.context, wireRequest, request, handsFree);
    if (response) return response;
  } catch (cause) {
    if (cause instanceof LabError) return plainText(cause.message, 400);
    throw cause;
  }
  return await server.fetch(withKnownRefreshToken(request, wireRequest, parts.aliases));
}

function plainText(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

/** Replaces a refresh token that a fault made up by the one that the server knows. */
function withKnownRefreshToken(
  request: Request,
  { form, headers }: WireRequest,
  aliases: ReadonlyMap<string, string>,
): Request {
  const knownToken = aliases.get(form.get("refresh_token") ?? "");
  if (knownToken === undefined) return request;
  const body = new URLSearchParams(form);
  body.set("refresh_token", knownToken);
  const { "content-length": _, ...others } = headers;
  return new Request(request.url, { method: "POST", headers: others, body: body.toString() });
}

function brokenResponse(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // Bun takes a stream that breaks within the same turn for one that ends.
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
