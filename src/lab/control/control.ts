import { ConfigError } from "../../config/problems.ts";
import { readJson, readText } from "../../http/body.ts";
import { json } from "../../http/response.ts";
import { createRouter, methodNotAllowed, notFound } from "../../http/router.ts";
import { errorBody, toOAuthError } from "../../protocol/oauth_error.ts";
import { isObject } from "../../util/json.ts";
import type { Lab } from "../lab.ts";
import { LabError } from "../lab_error.ts";
import { accessProblem } from "./guard.ts";
import type { LabToken } from "./lab_token.ts";
import type { Operation, OperationCall } from "./operation.ts";
import { operations } from "./operations.ts";

const find = createRouter(operations);

/** Whether a path belongs to the powers of a lab. */
export function isControl(path: string): boolean {
  return path === "/lab" || path.startsWith("/lab/");
}

/** Does over HTTP what a test in TypeScript does with the lab itself. */
export async function control(
  lab: Lab,
  request: Request,
  path: string,
  token: LabToken | undefined,
): Promise<Response> {
  const { settings, addressOf } = lab.context;
  try {
    const refusal = await accessProblem(request, settings.addresses, token, addressOf(request));
    if (refusal) return controlErrorResponse(refusal.status, "access_denied", refusal.says);
    if (!isControl(path)) throw notFound();
    const { route, routes, segment } = find(request.method, path.slice("/lab".length));
    if (routes.length === 0) throw notFound();
    if (!route) throw methodNotAllowed(routes);
    const call = await readCall(request, segment);
    checkBody(call.body, route.body ?? {});
    const result = await route.act(lab, call);
    return result instanceof Response ? result : json(result ?? {});
  } catch (cause) {
    if (cause instanceof LabError || cause instanceof ConfigError) {
      return controlErrorResponse(400, "invalid_request", cause.message);
    }
    const error = toOAuthError(cause);
    return json(errorBody(error), error.status, Object.entries(error.headers));
  }
}

async function readCall(request: Request, segment: string): Promise<OperationCall> {
  const { searchParams } = new URL(request.url);
  return {
    request,
    segment: decodeSegment(segment),
    query: searchParams,
    body: await readBody(request),
  };
}

/** A body is an object in JSON; no form of a web page can send one. */
async function readBody(request: Request): Promise<Record<string, unknown>> {
  if (request.method === "GET" || request.method === "HEAD") return {};
  if (request.method !== "PUT" && await readText(request) === "") return {};
  const value = await readJson(request);
  if (!isObject(value)) throw new LabError("The body is an object in JSON.");
  return value;
}

/** What is described is checked as it is described; the rest is for whoever does it. */
function checkBody(
  body: Readonly<Record<string, unknown>>,
  members: NonNullable<Operation["body"]>,
): void {
  for (const [name, { type }] of Object.entries(members)) {
    const kinds = [type].flat();
    if (body[name] !== undefined && !kinds.includes(kindOf(body[name]))) {
      throw new LabError(`The '${name}' is of the type ${kinds.join(" or ")}.`);
    }
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new LabError("The path is not well-formed.");
  }
}

function controlErrorResponse(status: number, error: string, says: string): Response {
  const headers: Array<[string, string]> = status === 401
    ? [["WWW-Authenticate", 'Bearer realm="hallpass lab"']]
    : [];
  return json({ error, error_description: says }, status, headers);
}
