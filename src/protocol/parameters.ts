import { OAuthError } from "./oauth_error.ts";

/** The parameters of a request. An empty value counts as none (OAuth 2.1, section 3.1). */
export interface Parameters {
  /** The value, or the first one where a parameter may be repeated. */
  get(name: string): string | undefined;
  all(name: string): string[];
  /** Names that were sent more than once, empty values included. */
  readonly repeated: ReadonlySet<string>;
}

/** Reads form encoding as the URL standard writes it, but refuses what it would guess at. */
export function parseParameters(text: string): Parameters {
  const values = new Map<string, string[]>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const piece of text.split("&")) {
    if (piece === "") continue;
    const [name, value] = splitPiece(piece);
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== "") values.set(name, [...values.get(name) ?? [], value]);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    repeated,
  };
}

function splitPiece(piece: string): [name: string, value: string] {
  const equals = piece.indexOf("=");
  if (equals < 0) return [decodeFormText(piece), ""];
  return [decodeFormText(piece.slice(0, equals)), decodeFormText(piece.slice(equals + 1))];
}

/** Undoes `application/x-www-form-urlencoded` of one name or value. */
export function decodeFormText(text: string): string {
  const decoded = decodeOrRefuse(text);
  if (decoded.includes("\0")) throw new OAuthError("invalid_request", "A parameter contains a null character.");
  return decoded;
}

function decodeOrRefuse(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new OAuthError("invalid_request", "The parameters are not valid percent-encoded UTF-8.");
  }
}

/** Nothing may be sent twice, except what an extension lets repeat (OAuth 2.1, section 3.1; RFC 8707, section 2). */
export function refuseRepeats(parameters: Parameters, repeatable: readonly string[] = ["resource"]): void {
  for (const name of parameters.repeated) {
    if (repeatable.includes(name)) continue;
    throw new OAuthError("invalid_request", `The parameter '${name.slice(0, 64)}' was sent more than once.`, {
      see: "OAuth 2.1, section 3.1",
    });
  }
}

/** Reads a parameter that must be there. */
export function required(parameters: Parameters, name: string, see: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `The parameter '${name}' is missing.`, { see });
  return value;
}
