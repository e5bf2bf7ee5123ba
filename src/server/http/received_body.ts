import { type ApplyRule, requirePresent, requireValue } from "../protocol/rule.ts";
import { readBytes } from "../util/bytes/read_stream.ts";
import { decodeUtf8 } from "../util/bytes/utf8.ts";
import { withTimeout } from "../util/time/promises.ts";
import { bodyRules, bodyTimeout, maxBodyLength, type ReceivedBody } from "./body_rules.ts";

export type ReadBytes = () => Promise<BufferSource>;

/** Reads the bytes of a body. `read` reads them with the methods of the request. */
export type BodyReader = (read: ReadBytes) => Promise<BufferSource>;

/** How a listener reads the body of a request. */
interface BodyReading {
  readBytes?: ReadBytes | undefined;
  bodyReader?: BodyReader | undefined;
}

/** Stops the reading of a body. */
export class StoppedBody extends Error {
  /** The name of the error class. */
  override readonly name = "StoppedBody";
  /** What is known about the body. */
  readonly body: ReceivedBody;

  /** Creates an error with what is known about the body. */
  constructor(body: ReceivedBody) {
    super();
    this.body = body;
  }
}

/** Creates what stops the reading of a body that takes too long. */
export function lateBody(): StoppedBody {
  return new StoppedBody({ isLate: true });
}

/**
 * Receives a body of limited length. The runtime enforces an announced length; without one, the
 * bytes are counted here.
 */
export async function receiveBody(
  request: Request,
  { readBytes: readKnown = () => request.arrayBuffer(), bodyReader }: BodyReading,
): Promise<ReceivedBody> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced) > maxBodyLength) return { isLarge: true };
  // The stream of a body that an application has read before ends at once.
  if (announced === null && request.bodyUsed) return {};
  const read = announced === null
    ? () => readBytes(request.body, maxBodyLength, () => new StoppedBody({ isLarge: true }))
    : readKnown;
  try {
    return { bytes: await withTimeout(bodyTimeout, bodyReader?.(read) ?? read(), lateBody) };
  } catch (cause) {
    return cause instanceof StoppedBody ? cause.body : { cause };
  }
}

/** Decodes a body, which must be complete. */
export function decodeBody(apply: ApplyRule, body: ReceivedBody): string {
  apply(bodyRules.size, body);
  apply(bodyRules.time, body);
  const bytes = requireValue(apply, bodyRules.complete, body, body.bytes);
  const text = requirePresent(apply, bodyRules.utf8, decodeUtf8(bytes));
  apply(bodyRules.mark, text);
  return text;
}
