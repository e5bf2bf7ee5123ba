import { ConfigError } from "../../server/config/problems.ts";
import { type IncomingRequest, readJson } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import {
  type HeaderList,
  isResponseData,
  type ResponseData,
} from "../../server/http/response_data.ts";
import {
  methodNotAllowed,
  notFound,
  type RouteMatch,
  type RoutePattern,
  type Router,
} from "../../server/http/router.ts";
import { errorBody, OAuthError, toOAuthError } from "../../server/protocol/oauth_error.ts";
import { applyRule } from "../../server/protocol/rule.ts";
import { senderNetwork } from "../../server/util/addresses/network.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { Operation, OperationCall, OperationDescription } from "../core/operation.ts";
import { checkBody } from "../util/check_body.ts";
import { LabError } from "../util/lab_error.ts";
import { decodeSegment } from "../util/path_segment.ts";
import { textResponse, wantsText } from "../util/text_response.ts";
import { isControl } from "./control_path.ts";
import { accessProblem } from "./guard.ts";
import type { LabToken } from "./lab_access.ts";

const challenge: HeaderList = [["WWW-Authenticate", 'Bearer realm="hallpass lab"']];

/** A request for the interface of a lab over HTTP. */
export interface ControlRequest {
  request: IncomingRequest;
  /** The path below the issuer. */
  path: string;
  token: LabToken | undefined;
}

/** Does over HTTP what a test in TypeScript does with the lab itself. */
export async function respondToControl<L extends CoreLab>(
  lab: L,
  { request, path, token }: ControlRequest,
  { findOperation, operations }: {
    operations: ReadonlyArray<Operation<L>>;
    findOperation: Router<Operation<L>>;
  },
): Promise<ResponseData> {
  const { addresses } = lab.interfacePlace;
  const fail = errorResponder(request);
  try {
    const { address } = lab.context.readOrigin(request);
    const sender = address && senderNetwork(address);
    const problem = await accessProblem(request, { addresses, token }, sender);
    if (problem) {
      const { status, description } = problem;
      return fail(status, "access_denied", description, status === 401 ? challenge : []);
    }
    if (!isControl(path)) throw notFound();
    const match = findOperation(request.method, path.slice("/lab".length));
    if (!match.route) throw unknownOperation(match, findOperation);
    const call = { ...await readCall(request, match.route, match.segment), operations };
    const result = await performOperation(lab, match.route, call);
    return isResponseData(result) ? result : jsonResponse(result ?? {});
  } catch (cause) {
    if (cause instanceof LabError || cause instanceof ConfigError) {
      return fail(400, "invalid_request", cause.message);
    }
    const error = toOAuthError(cause);
    const { error_description } = errorBody(error);
    return fail(
      error.status,
      error.code,
      error_description,
      Object.entries(error.details.headers ?? {}),
    );
  }
}

/** Performs an operation, for its interface over HTTP and for its page. */
export async function performOperation<L extends CoreLab>(
  lab: L,
  operation: Operation<L>,
  call: OperationCall,
): Promise<unknown> {
  const { schema } = operation.body ?? {};
  // Where a body has no schema here, the lab checks everything itself.
  if (schema) checkBody(schema, call.body);
  return await operation.run(lab, call);
}

/** The error of a request that no operation is for. It says which ones are near. */
function unknownOperation(
  { path = "", routes, findNearest }: RouteMatch<RoutePattern>,
  findOperation: Router<RoutePattern>,
): OAuthError {
  const error = routes.length > 0 ? methodNotAllowed(routes) : notFound();
  // Who posts to a list wants to add to it.
  const entry = findOperation("PUT", `${path}/x`);
  const meant = entry.route ?? (routes.length > 0 ? undefined : findNearest?.());
  const guess = meant ? [`Did you mean ${meant.method} /lab${meant.path}?`] : [];
  const all = "All paths and bodies are in /lab/openapi.json.";
  return new OAuthError(error.code, [error.message, ...guess, all].join(" "), error.details);
}

async function readCall(
  request: IncomingRequest,
  { readsBody = false }: OperationDescription,
  segment: string,
): Promise<Omit<OperationCall, "operations">> {
  const { searchParams } = new URL(request.url);
  return {
    request,
    segment: decodeSegment(segment),
    query: searchParams,
    body: readsBody ? {} : await readBody(request),
  };
}

/** Reads the body, which must be JSON: no form of a web page can send it. */
async function readBody(request: IncomingRequest): Promise<Record<string, unknown>> {
  if (request.method === "GET" || request.method === "HEAD") return {};
  if (request.method !== "PUT" && await request.text() === "") return {};
  const value = await readJson({ request, apply: applyRule });
  if (!isObject(value)) throw new LabError("The body must be a JSON object.");
  return value;
}

/** Returns what responds with an error: in JSON, or in the lines of text that a helper prints. */
function errorResponder({ headers: accepted }: IncomingRequest) {
  return (
    status: number,
    error: string,
    error_description: string,
    headers: HeaderList = [],
  ): ResponseData => {
    return wantsText(accepted)
      ? textResponse(error_description, status, headers)
      : jsonResponse({ error, error_description }, status, headers);
  };
}
