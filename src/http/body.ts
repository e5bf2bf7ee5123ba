import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import { errorFactory, OAuthError } from "../protocol/oauth_error.ts";
import { parseJson } from "../util/json.ts";
import { withTimeout } from "../util/promises.ts";
import { readStream } from "./read_stream.ts";

const invalidRequest = errorFactory("invalid_request");

const kilobyte = 1024;
const maxBodyLength = 64 * kilobyte;

/** Reads the parameters of a URI. */
export function readQuery(request: Request): FormParameters {
  return parseParameters(new URL(request.url).search.slice(1));
}

/** Reads the parameters of a form (OAuth 2.1, section 3.2.2). */
export async function readForm(request: Request): Promise<FormParameters> {
  if (mediaType(request) !== "application/x-www-form-urlencoded") {
    throw invalidRequest("The body must be application/x-www-form-urlencoded.", {
      see: "OAuth 2.1, section 3.2.2",
    });
  }
  return parseParameters(await readText(request));
}

/** Reads a JSON document. */
export async function readJson(request: Request): Promise<unknown> {
  if (mediaType(request) !== "application/json") {
    throw invalidRequest("The body must be application/json.");
  }
  const value = parseJson(await readText(request));
  if (value === undefined) throw invalidRequest("The body is not JSON.");
  return value;
}

/** The media type of a body, without its parameters; only UTF-8 is read. */
export function mediaType(request: Request): string {
  const [type = "", ...parameters] = (request.headers.get("Content-Type") ?? "").split(";").map((
    part,
  ) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice(8)
    .replaceAll('"', "");
  return charset === undefined || charset === "utf-8" ? type : "";
}

const reading = Symbol.for("hallpass.reading");

/** Reads a text of bounded length, once: whoever reads the same request again gets what was read. */
export function readText(request: Request & { [reading]?: Promise<string> }): Promise<string> {
  return request[reading] ??= readBounded(request);
}

/** A length that was announced is enforced by the runtime; one that was not is counted here. */
async function readBounded(request: Request): Promise<string> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced) > maxBodyLength) throw tooLarge();
  const text = await readToEnd(() =>
    announced === null ? readStream(request.body, maxBodyLength, tooLarge) : request.text()
  );
  // What stands in for bytes that are no UTF-8.
  if (text.includes("\ufffd")) {
    throw invalidRequest("The body is not valid UTF-8.");
  }
  return text;
}

/** A body that trickles in must not hold a connection, or the end of the program, for ever. */
const bodyTimeout = 15_000;

async function readToEnd(read: () => Promise<string>): Promise<string> {
  try {
    return await withTimeout(bodyTimeout, read(), tooSlow);
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw invalidRequest("The body could not be read to its end.", { cause });
  }
}

function tooSlow(): OAuthError {
  return invalidRequest("The body did not arrive in time.", {
    status: 408,
    headers: { Connection: "close" },
  });
}

/** A half-read body would hang the next request on Node, so the connection ends here. */
function tooLarge(): OAuthError {
  return invalidRequest(`The body is larger than ${maxBodyLength / kilobyte} kB.`, {
    status: 413,
    headers: { Connection: "close" },
  });
}
