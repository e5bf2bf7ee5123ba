import { type ResponseMode, responseModes } from "../../server/model/client_config.ts";
import { readMistakes } from "./broken_request.ts";
import type { ClientAbilities } from "./client_abilities.ts";

/**
 * Parameters of an authorization request that have a field of their own, sent as they are typed.
 */
export const textParameters = [
  "login_hint",
  "acr_values",
  "claims",
  "resource",
  "ui_locales",
] as const;

/** What other parts of the form decide: without them, the response would not come back here. */
const fixedParameters: readonly string[] = [
  "client_id",
  "redirect_uri",
  "state",
  "request",
  "request_uri",
];

/** The scope of a flow whose scope was not chosen. */
const sampleScope = ["openid", "profile", "read"];

export const promptValues: readonly string[] = ["none", "login", "consent", "select_account"];

export type Parameter = readonly [name: string, value: string];

/** The parameters that the user wrote, and what is wrong with them. */
export interface OwnParameters {
  parameters: readonly Parameter[];
  problem?: string;
  /** The fields as they were filled in. */
  written: Readonly<Record<(typeof textParameters)[number] | "other", string>>;
}

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

/** Replaces parameters where they are, and adds the others at the end. */
export function withParameters(
  parameters: readonly Parameter[],
  changes: readonly Parameter[],
): Parameter[] {
  const changed = new Set(changes.map(([name]) => name));
  const first = new Set<string>();
  const kept = parameters.flatMap((each): readonly Parameter[] => {
    const [name] = each;
    if (!changed.has(name)) return [each];
    if (first.has(name)) return [];
    first.add(name);
    return changes.filter(([other]) => other === name);
  });
  return [...kept, ...changes.filter(([name]) => !first.has(name))];
}

/**
 * A form that was sent without any scope means none; a link without one means as much of the sample
 * as the client may ask for, or else all that it may.
 */
function scopesIn(query: URLSearchParams, client: ClientAbilities): readonly string[] {
  const wanted = query.getAll("scope").flatMap((value) => value.split(" "));
  if (wanted.length > 0 || query.has("chosen")) {
    return client.scopes.filter((scope) => wanted.includes(scope));
  }
  const sample = sampleScope.filter((token) => client.scopes.includes(token));
  return sample.length > 0 ? sample : client.scopes;
}

/**
 * Reads the parameters in the query of a page: the known ones, and any others as one `name=value`
 * per line.
 */
function readOwnParameters(query: URLSearchParams): OwnParameters {
  const lines = (query.get("other") ?? "").split("\n").map((line) => line.trim()).filter(Boolean);
  const problem = lines.map(lineProblem).find((each) => each !== undefined);
  const others = lines.filter((line) => lineProblem(line) === undefined).map(toParameter);
  const texts = textParameters.flatMap((name) =>
    textsIn(query, name).map((text) => [name, text] as const)
  );
  const textOf = (name: string) => query.get(name) ?? "";
  return {
    parameters: [...texts, ...others],
    ...problem !== undefined && { problem },
    written: {
      login_hint: textOf("login_hint"),
      acr_values: textOf("acr_values"),
      claims: textOf("claims"),
      resource: query.getAll("resource").join(" "),
      ui_locales: textOf("ui_locales"),
      other: textOf("other"),
    },
  };
}

/** Several resources are repeated parameters (RFC 8707, section 2). */
function textsIn(query: URLSearchParams, name: string): string[] {
  const texts = query.getAll(name).map((text) => text.trim()).filter(Boolean);
  return name === "resource" ? texts.flatMap((text) => text.split(/\s+/)) : texts.slice(0, 1);
}

function lineProblem(line: string): string | undefined {
  const at = line.indexOf("=");
  if (at < 1) return `Write each parameter as name=value; this line is not: ${line}`;
  const name = line.slice(0, at).trim();
  if (!fixedParameters.includes(name)) return undefined;
  return `The lab sets '${name}' itself, so that the response comes back to it.`;
}

function toParameter(line: string): Parameter {
  const at = line.indexOf("=");
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}
