import type { EndpointPaths } from "../../server/config/paths_config.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import { formType } from "../recording/exchange.ts";
import type { AliasTarget, Dialect } from "./dialect.ts";
import { urlAtBase } from "./played_hosts.ts";
import { type ParameterRules, translateParameters } from "./request_parameters.ts";

/** What the translation of a request depends on. */
export interface Translation extends ParameterRules {
  /** The URL of the issuer's endpoints, without a final slash. */
  issuerBase: string;
  paths: EndpointPaths;
  /** The URL that paths of the dialect are below, and the hosts that stand for it. */
  base: string;
  hosts: Dialect["hosts"];
  /** The endpoint that the path of the request is another name of. */
  endpoint: AliasTarget | undefined;
}

/**
 * Returns a request as the server understands it: its path, its tokens, its scopes. What needs no
 * change stays as it came, because it may have a mistake that the server must see.
 */
export async function toServerRequest(
  request: IncomingRequest,
  translation: Translation,
): Promise<IncomingRequest> {
  const target = translatedUrl(request.url, translation);
  const authorization = translatedHeader(request.headers.get("Authorization"), translation);
  const body = await translatedBody(request, translation);
  const isSame = target === request.url && body.isSame &&
    authorization === request.headers.get("Authorization");
  if (isSame) return request;
  const headers = new Headers([...request.headers]);
  headers.delete("Content-Length");
  if (authorization !== null) headers.set("Authorization", authorization);
  const { method, signal, peer } = request;
  const init = {
    method,
    headers,
    signal: signal(),
    ...body.text !== undefined && { body: body.text },
  };
  return createIncomingRequest(new Request(target, init), { peer });
}

function translatedUrl(text: string, translation: Translation): string {
  const { endpoint, issuerBase, paths, base } = translation;
  const url = urlAtBase(new URL(text), base, translation);
  const path = endpoint === undefined ? url.origin + url.pathname : issuerBase + paths[endpoint];
  return path + (translatedText(url.search.slice(1), translation, "?") ?? url.search);
}

function translatedHeader(header: string | null, { originalOf }: Translation): string | null {
  const [, scheme, token = ""] = /^(bearer|dpop) +(\S+)$/i.exec(header ?? "") ?? [];
  return scheme === undefined ? header : `${scheme} ${originalOf(token)}`;
}

/** The body that the server reads, and whether it is the one that came. */
interface TranslatedBody {
  text?: string;
  isSame: boolean;
}

async function translatedBody(
  request: IncomingRequest,
  translation: Translation,
): Promise<TranslatedBody> {
  if (request.method === "GET" || request.method === "HEAD") return { isSame: true };
  // The server reports a body that cannot be read.
  const text = await request.text().catch(() => undefined);
  if (text === undefined) return { isSame: true };
  const isForm = request.headers.get("Content-Type")?.startsWith(formType) ?? false;
  const changed = isForm ? translatedText(text, translation) : undefined;
  return { text: changed ?? text, isSame: changed === undefined };
}

/** Returns parameters after a change, or undefined if there is none. */
function translatedText(
  text: string,
  translation: Translation,
  prefix = "",
): string | undefined {
  const before = new URLSearchParams(text);
  const after = translateParameters(before, translation);
  return String(before) === String(after) ? undefined : `${prefix}${after}`;
}
