import { type ResponseMode, responseModes } from "../../server/model/client_config.ts";
import { readMistakes } from "./broken_request.ts";
import type { ClientAbilities } from "./client_abilities.ts";
import { type OwnParameters, readOwnParameters } from "./own_parameters.ts";

/** The scope of a flow whose scope was not chosen. */
const sampleScope = ["openid", "profile", "read"];

/** What the user chose about a flow that the lab starts. */
export interface FlowOptions {
  clientId: string;
  /** The name of the user whom the request suggests. */
  user?: string | undefined;
  scopes: readonly string[];
  prompt?: string | undefined;
  /** In seconds. */
  maxAge?: string | undefined;
  responseMode: ResponseMode;
  /** Whether the client pushes the request first (RFC 9126). */
  usesPar: boolean;
  /** Whether the client signs the request (RFC 9101). */
  usesJar: boolean;
  /** Whether the server signs the response (JARM). */
  usesJarm: boolean;
  /** Whether code and tokens are bound to a key (RFC 9449). */
  usesDpop: boolean;
  /** What the user wrote: it is added to the request, or replaces a part of it. */
  own: OwnParameters;
  /** The names of the mistakes that the client makes on purpose. */
  mistakes: readonly string[];
}

/** The values of `prompt` that the lab offers. */
export const promptValues: readonly string[] = ["none", "login", "consent", "select_account"];

/** Reads the options of a flow from the query of a page. What is missing has a default. */
export function readFlowOptions(query: URLSearchParams, client: ClientAbilities): FlowOptions {
  const mode = query.get("response_mode");
  const prompt = query.get("prompt") ?? "";
  const maxAge = query.get("max_age")?.trim() ?? "";
  const mistakes = readMistakes(query, client);
  const uses = (name: string, isRequired: boolean) =>
    (isRequired || query.has(name)) && !mistakes.includes(name);
  return {
    clientId: client.id,
    user: query.get("user") || undefined,
    scopes: scopesIn(query, client),
    prompt: promptValues.includes(prompt) ? prompt : undefined,
    maxAge: /^\d{1,9}$/.test(maxAge) ? maxAge : undefined,
    responseMode: responseModes.find((each) => each === mode) ?? "query",
    usesPar: uses("par", client.requiresPar),
    usesJar: client.canSign && uses("jar", client.requiresJar),
    usesJarm: query.has("jarm"),
    usesDpop: uses("dpop", client.requiresDpop),
    own: readOwnParameters(query),
    mistakes,
  };
}

/** A form that was sent without any scope means none; a link without one means the sample. */
function scopesIn(query: URLSearchParams, client: ClientAbilities): readonly string[] {
  const wanted = query.getAll("scope").flatMap((value) => value.split(" "));
  if (wanted.length === 0 && !query.has("chosen")) return sampleScopeOf(client.scopes);
  return client.scopes.filter((scope) => wanted.includes(scope));
}

/** Returns as much of the sample scope as a client may ask for, or else all that it may. */
function sampleScopeOf(scopes: readonly string[]): readonly string[] {
  const sample = sampleScope.filter((token) => scopes.includes(token));
  return sample.length > 0 ? sample : scopes;
}
