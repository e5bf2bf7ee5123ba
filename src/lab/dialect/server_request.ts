import type { EndpointPaths } from "../../server/config/paths_config.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { formType, parseForm } from "../recording/exchange.ts";
import { clientForm, completeQuery, type FormSource, isInQuery } from "./client_requests.ts";
import type { Dialect } from "./dialect.ts";
import type { AliasTarget } from "./place_settings.ts";
import { urlAtBase } from "./played_hosts.ts";
import { type ParameterRules, translateParameters } from "./request_parameters.ts";
import type { ClientRequests } from "./request_settings.ts";

export interface RequestTranslation extends ParameterRules {
  /** The URL of the issuer's endpoints, without a final slash. */
  issuerBase: string;
  paths: EndpointPaths;
  /** The URL that paths of the dialect are below, and the hosts that stand for it. */
  base: string;
  hosts: Dialect["hosts"];
  /** The endpoint that the path of the request is another name of. */
  endpoint: AliasTarget | undefined;
  /** The header with the credentials, wherever those came. */
  authorization: string | null;
  /** What a body may be, and the endpoint that it came to. */
  formSettings: ClientRequests & Pick<FormSource, "endpoint">;
}

/**
 * Returns a request as the server understands it: its path, its tokens, its scopes. What needs no
 * change stays as it came, because it may have a mistake that the server must see.
 */
export async function toServerRequest(
  request: IncomingRequest,
  translation: RequestTranslation,
): Promise<IncomingRequest> {
  const authorization = translatedHeader(translation);
  const body = await translatedBody(request, translation);
  const target = translatedUrl(request.url, body, translation);
  // A response that gets another shape needs its body, even if only its length is sent.
  const isHead = request.method === "HEAD" && translation.formSettings.endpoint === "userinfo";
  const method = isHead ? "GET" : request.method;
  const isSame = target === request.url && body.isSame && method === request.method &&
    authorization === request.headers.get("Authorization");
  if (isSame) return request;
  const headers = new Headers([...request.headers]);
  headers.delete("Content-Length");
  if (authorization === null) headers.delete("Authorization");
  else headers.set("Authorization", authorization);
  if (body.isForm) headers.set("Content-Type", formType);
  const { signal, peer, certificates } = request;
  const init = {
    method,
    headers,
    signal: signal(),
    ...body.text !== undefined && { body: body.text },
  };
  return createIncomingRequest(new Request(target, init), { peer, certificates });
}

function translatedUrl(
  text: string,
  { isQuery = false }: TranslatedBody,
  translation: RequestTranslation,
): string {
  const { endpoint, issuerBase, paths, base } = translation;
  const url = urlAtBase(new URL(text), base, translation.hosts);
  const path = endpoint === undefined ? url.origin + url.pathname : issuerBase + paths[endpoint];
  if (isQuery) return path;
  const { endpoint: asked, ...settings } = translation.formSettings;
  const before = new URLSearchParams(url.search);
  const complete = completeQuery(before, asked, settings);
  const after = String(translateParameters(complete, translation));
  // A query that stays the same is left as it came.
  return path + (after === String(before) ? url.search : `?${after}`);
}

function translatedHeader({ authorization, originalOf }: RequestTranslation): string | null {
  const [, scheme, token = ""] = /^(bearer|dpop) +(\S+)$/i.exec(authorization ?? "") ?? [];
  return scheme === undefined ? authorization : `${scheme} ${originalOf(token)}`;
}

/** The body that the server reads, and whether it is the one that came. */
interface TranslatedBody {
  text?: string;
  isSame: boolean;
  /** Whether it is a form now. */
  isForm?: boolean;
  /** Whether the query of the request had it. */
  isQuery?: boolean;
}

async function translatedBody(
  request: IncomingRequest,
  translation: RequestTranslation,
): Promise<TranslatedBody> {
  if (request.method === "GET" || request.method === "HEAD") return { isSame: true };
  // The server reports a body that cannot be read.
  const text = await request.text().catch(() => undefined);
  if (text === undefined) return { isSame: true };
  const { formSettings } = translation;
  const source = {
    endpoint: formSettings.endpoint,
    type: request.headers.get("Content-Type") ?? undefined,
    authorization: request.headers.get("Authorization") ?? undefined,
    query: new URL(request.url).searchParams,
    body: text,
  };
  const form = clientForm(source, formSettings);
  const after = form && String(translateParameters(form, translation));
  if (after === undefined || after === normalized(source)) return { text, isSame: true };
  return { text: after, isSame: false, isForm: true, isQuery: isInQuery(source, formSettings) };
}

/** Returns a form as it is written after a translation that changes nothing. */
function normalized({ type, body }: FormSource): string | undefined {
  return type?.startsWith(formType) ? String(parseForm(body)) : undefined;
}
