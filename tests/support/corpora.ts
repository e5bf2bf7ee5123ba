import basicHeadersFile from "../corpora/basic_headers.json" with { type: "json" };
import malformedRequestsFile from "../corpora/malformed_requests.json" with { type: "json" };
import redirectUrisFile from "../corpora/redirect_uris.json" with { type: "json" };

/** URIs that look like a registered one, by what they change. */
export interface LookAlikes {
  registered: string;
  /** Whether the client is a native app, for which the port of a loopback URI may differ. */
  native: boolean;
  lookAlikes: Record<string, string[]>;
}

export interface MalformedHeader {
  what: string;
  header: string;
}

/** A malformed body: a text, bytes as base64, or pieces of text that are repeated. */
export interface MalformedBody {
  what: string;
  /** The content type, if it isn't that of an ordinary request. */
  type?: string;
  body?: string;
  base64?: string;
  pieces?: Array<[text: string, times: number]>;
  /** The status of the response. Default: 400. */
  status?: number;
}

/** What is added to the query of a valid authorization request. */
export interface MalformedQuery {
  what: string;
  extra: string;
  /** Whether our page shows the error, or a redirect tells the client. */
  outcome: "page" | "redirect";
}

interface MalformedRequests {
  forms: MalformedBody[];
  documents: MalformedBody[];
  authorizationQueries: MalformedQuery[];
}

export const redirectUris: readonly LookAlikes[] = redirectUrisFile as unknown as LookAlikes[];

export const basicHeaders: readonly MalformedHeader[] = basicHeadersFile;

export const malformedRequests: MalformedRequests =
  malformedRequestsFile as unknown as MalformedRequests;

/** Returns the bytes of a malformed body. The word VALID in it stands for a valid form. */
export function bytesOf(
  { body, base64, pieces = [] }: MalformedBody,
  validForm = "",
): Uint8Array<ArrayBuffer> {
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  const text = body ?? pieces.map(([piece, times]) => piece.repeat(times)).join("");
  return new TextEncoder().encode(text.replace("VALID", validForm));
}
