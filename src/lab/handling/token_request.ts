import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import { toResponse } from "../../server/http/response_data.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { parseDuration } from "../../server/util/time/duration.ts";
import type { Lab } from "../control/lab.ts";
import type { TokenFileOptions } from "../control/token_file.ts";
import {
  type CompleteWorkloadTokens,
  completeWorkloadTokens,
} from "../dialect/workload_defaults.ts";
import type { WorkloadTokens } from "../dialect/workload_settings.ts";
import { LabError } from "../util/lab_error.ts";
import { mergePatch } from "../util/merge_patch.ts";

/** Gets tokens from a lab in place of a program, as the platform of the program does. */
export interface FileTokens {
  /** For how long a token is used, in seconds. */
  lifetime: number;
  /** Requests a token; it is recorded as any other request. */
  request(): Promise<string>;
}

/**
 * Creates what requests the tokens for a file.
 *
 * @throws {LabError} An option does not fit the lab.
 */
export function createFileTokens(
  lab: Pick<Lab, "respond">,
  base: string,
  tokens: WorkloadTokens | undefined,
  options: TokenFileOptions,
): FileTokens {
  if (!tokens) {
    throw new LabError(
      "This lab issues no tokens to programs. Play 'kubernetes' or 'github-actions', or set " +
        "'dialect.workloadTokens'.",
    );
  }
  const settings = completeWorkloadTokens(tokens);
  const lifetime = lifetimeOf(settings, options);
  return {
    lifetime,
    async request() {
      const response = await lab.respond(createIncomingRequest(toRequest(base, settings, options)));
      const text = await toResponse(response).text();
      const token = tokenIn(parseJson(text), settings.body);
      if (response.status < 300 && token !== undefined) return token;
      throw new LabError(`The lab gave no token for the file: ${response.status} ${text}`);
    },
  };
}

function lifetimeOf(
  { lifetime, request }: CompleteWorkloadTokens,
  { lifetime: given }: TokenFileOptions,
): number {
  if (given === undefined) return lifetime;
  if (request?.lifetime === undefined) {
    throw new LabError("A request for a token names no lifetime here: leave 'lifetime' out.");
  }
  const seconds = parseDuration(given);
  if (seconds !== undefined) return seconds;
  throw new LabError(`'${String(given)}' is not a valid duration for 'lifetime'.`);
}

function toRequest(
  base: string,
  settings: CompleteWorkloadTokens,
  { segments = {}, audience, lifetime, body = {} }: TokenFileOptions,
): Request {
  const { path, method, bearer, request = {} } = settings;
  const filled = path.replace(
    /\/:(\w+)/g,
    (_, name: string) => `/${encodeURIComponent(segments[name] ?? "default")}`,
  );
  const headers = { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" };
  if (method === "GET") {
    const query = audience === undefined ? "" : `?${new URLSearchParams({ audience })}`;
    return new Request(base + filled + query, { headers });
  }
  const members = [
    ...audience === undefined ? [] : [memberAt(request.audience, [audience])],
    ...lifetime === undefined ? [] : [memberAt(request.lifetime, parseDuration(lifetime))],
  ];
  const json = members.reduce(mergePatch, { ...body });
  return new Request(base + filled, { method, headers, body: JSON.stringify(json) });
}

/** Returns an object with one member at a path: `"spec.audiences"`. */
function memberAt(path: string | undefined, value: unknown): Record<string, unknown> {
  if (path === undefined) return {};
  return path.split(".").reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    value,
  ) as Record<string, unknown>;
}

/** Finds the token in a response, by where the template of the response has it. */
function tokenIn(response: unknown, template: unknown): string | undefined {
  if (template === "{token}") return typeof response === "string" ? response : undefined;
  if (!isObject(template) || !isObject(response)) return undefined;
  const found = Object.entries(template).map(([name, inner]) => tokenIn(response[name], inner));
  return found.find((token) => token !== undefined);
}
