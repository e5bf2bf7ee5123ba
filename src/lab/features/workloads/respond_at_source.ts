import { importJWK } from "jose";
import type { ServerEvent } from "../../../server/config/events.ts";
import { jsonResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { numericDate } from "../../../server/issuer/time.ts";
import type { Claims } from "../../../server/model/claims.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";
import { describeWorkloads, type PlayedWorkload } from "./describe_workloads.ts";
import { respondAsAzure } from "./respond/azure.ts";
import { respondAsGithub } from "./respond/github.ts";
import { respondAsGoogle } from "./respond/google.ts";
import { respondAsKubernetes } from "./respond/kubernetes.ts";
import { fill, type SourceCall, type SourceError, sources } from "./source.ts";
import { sourceNames, sourcePaths, type WorkloadSource } from "./source_paths.ts";
import { keySetOf, loadSourceKey } from "./trust_workloads.ts";

/** What each source responds: JSON or a text. */
const responding = {
  azure: respondAsAzure,
  google: respondAsGoogle,
  github: respondAsGithub,
  kubernetes: respondAsKubernetes,
};

const served = Object.entries(sources).map(([source, { issuerPath, keysPath }]) => ({
  source,
  keysPath,
  metadataPath: `${issuerPath.replace(/\/$/, "")}/.well-known/openid-configuration`,
  isOfSource: sourcePaths[source as WorkloadSource],
}));

/** What a source responds, and why it refuses a request, if it does. */
export interface SourceResponse {
  response: ResponseData;
  refusal?: ServerEvent;
}

/** A request that a source refuses. */
class SourceRefusal extends Error {
  override readonly name = "SourceRefusal";
  readonly status: number;
  readonly body: unknown;

  constructor({ status, body }: SourceError) {
    super("The source of tokens refuses the request.");
    this.status = status;
    this.body = body;
  }
}

/** Responds as the source at a path, or with a document of its issuer; undefined at others. */
export async function respondAtSource(
  lab: CoreLab,
  request: WireRequest,
  path: string,
): Promise<SourceResponse | undefined> {
  const place = served.find(({ keysPath, metadataPath, isOfSource }) =>
    path === keysPath || path === metadataPath || isOfSource.test(path)
  );
  const workload = place &&
    describeWorkloads(lab).find(({ source }) => source === place.source);
  if (!workload) return undefined;
  if (path === place.keysPath) return { response: jsonResponse(keySetOf(await loadSourceKey())) };
  if (path === place.metadataPath) return { response: jsonResponse(metadataOf(lab, workload)) };
  try {
    return { response: await respondAs(lab, workload, { ...request, path }) };
  } catch (cause) {
    if (!(cause instanceof SourceRefusal)) throw cause;
    const { status, body } = cause;
    const response = toResponse(workload.source, status, body);
    return { response, refusal: toEvent(workload.source, { ...request, path }, cause) };
  }
}

/** Describes a refusal in the vendor's words, since no rule of Hallpass was broken. */
function toEvent(
  source: WorkloadSource,
  { method, path }: WireRequest,
  { status, body }: SourceError,
): ServerEvent {
  const { error_description, message } = isObject(body) ? body : {};
  const [see] = sources[source].see;
  const said = String(error_description ?? message ?? body).replace(/\.$/, "");
  return {
    type: "request.refused",
    method,
    path,
    status,
    error: "invalid_request",
    description: `The ${sourceNames[source]} refuses it: ${said}.`,
    ...see !== undefined && { see },
  };
}

async function respondAs({ context }: CoreLab, workload: PlayedWorkload, request: WireRequest) {
  const { source, claims, environment } = workload;
  const { method, status: success, refusals, refusalBase, typ } = sources[source];
  const now = numericDate(context);
  const call: SourceCall = {
    request,
    claims,
    environment,
    now,
    randomText: () => randomId(context),
    async sign(issued, lifetime) {
      const key = await loadSourceKey();
      const exp = now + lifetime;
      const header = { alg: "RS256", kid: key.kid, ...typ !== undefined && { typ } };
      const signing = { header, claims: { ...claims, ...issued, exp }, key: await importJWK(key) };
      return { jwt: await signJwt(signing), exp };
    },
    must(holds, name, values = {}) {
      if (holds) return;
      const { status, body } = fill(refusals[name] ?? { status: 400, body: name }, values);
      throw new SourceRefusal({
        status,
        body: isObject(body) ? { ...refusalBase, ...body } : body,
      });
    },
  };
  call.must(request.method === method, "method");
  return toResponse(source, success, await responding[source](call));
}

function toResponse(source: WorkloadSource, status: number, body: unknown): ResponseData {
  const headers = Object.entries(sources[source].headers);
  if (typeof body !== "string") return jsonResponse(body, status, headers);
  const type = status < 400 ? "application/text" : "text/html; charset=UTF-8";
  return { status, headers: [...headers, ["Content-Type", type]], body };
}

function metadataOf(lab: CoreLab, { source, issuer }: PlayedWorkload): Claims {
  return {
    issuer,
    jwks_uri: issuerUrl(lab.issuer, sources[source].keysPath),
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
