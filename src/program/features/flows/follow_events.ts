import type { LabEvent } from "../../../lab/recording/lab_event.ts";
import type { ServerEvent } from "../../../server/config/events.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { refusalIn } from "../../lab_client/running_lab.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { printable } from "../../terminal/printable.ts";

export type StreamedEvent = ServerEvent | LabEvent;

/** A lab whose events are followed, and where they go. */
export interface FollowedLab {
  /** Its address, for messages. */
  address: string;
  /** Requests the events from now on. */
  connect(): Promise<Response>;
  /** Runs when a stream is open, which has every event from then on. */
  onOpen(isFirst: boolean): Promise<void>;
  onEvent(event: StreamedEvent): void;
  /** Reports what became of the connection. */
  report(message: string): void;
  /** Waits before the lab is asked again. */
  pause(): Promise<void>;
}

/** Follows the events of a lab until the signal aborts. A lost connection is opened again. */
export async function followEvents(
  { address, onEvent, report, pause, ...lab }: FollowedLab,
  signal: AbortSignal,
): Promise<void> {
  let state: "begun" | "open" | "lost" = "begun";
  while (!signal.aborted) {
    let why = "";
    try {
      const body = await streamOf(await lab.connect());
      report(state === "lost" ? `Connected to ${address}.` : `Following ${address}.`);
      await lab.onOpen(state === "begun");
      state = "open";
      for await (const event of readEvents(body, signal)) onEvent(event);
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      if (state === "begun") why = `: ${printable(explainFailure(cause))}`;
    }
    if (signal.aborted) return;
    const lost = state === "begun" ? "No lab responds at" : "Lost the connection to";
    if (state !== "lost") report(`${lost} ${address}${why}. Trying again.`);
    state = "lost";
    await pause();
  }
}

/** Returns the events in a response. A lab that refuses them would refuse them again. */
async function streamOf(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const type = response.headers.get("Content-Type") ?? "";
  if (response.ok && response.body && type.startsWith("text/event-stream")) return response.body;
  // A proxy responds while its lab starts.
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  throw new UsageError(refusalIn(parseJson(await response.text())));
}

/** Reads server-sent events until their stream ends, or the signal aborts. */
async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream(), { signal })) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseJson(/^data: (.*)$/m.exec(block)?.[1] ?? "");
      if (isEvent(event)) yield event;
    }
  }
}

/** The names of members are printed as they are, so one with other characters is not ours. */
function isEvent(value: unknown): value is StreamedEvent {
  return isObject(value) && typeof value.type === "string" &&
    Object.keys(value).every((name) => /^\w+$/.test(name));
}
