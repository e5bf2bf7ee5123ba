import { type Client, isPublic } from "../../model/client.ts";
import { clientAssertionType } from "../../protocol/client_assertion.ts";
import { inQuotes } from "../../util/text/shell_quote.ts";

/** A token request as a command. A placeholder replaces each value that is unknown: `<CLIENT_ID>`. */
export interface TokenRequestExample {
  /** How its client authenticates: not at all, with its secret or with its key. */
  kind: "public" | "confidential" | "key";
  /** A `curl` command. */
  command: string;
}

/** What is known of the request for a code. */
export interface KnownTokenRequest {
  tokenEndpoint: string;
  code: string;
  redirectUri: string;
  /** Known only for a flow that this server started, in the browser that it was started for. */
  codeVerifier?: string | undefined;
  client?: Client | undefined;
  /** The request of this client, if it is known as a whole. */
  command?: string | undefined;
}

const placeholder = /<[A-Z_]+>/;

/** Returns the request for a code: that of its client first, if this is known. */
export function tokenRequestExamples(known: KnownTokenRequest): TokenRequestExample[] {
  const { client, command, ...ofOthers } = known;
  const own = client ? kindOf(client) : "public";
  const others = (["public", "confidential"] as const)
    .filter((kind) => own !== "key" && own !== kind)
    .map((kind) => ({ kind, command: commandOf(kind, ofOthers, client?.dpop) }));
  return [{ kind: own, command: command ?? commandOf(own, known) }, ...others];
}

/** Whether a command has every value. */
export function isComplete(command: string): boolean {
  return !placeholder.test(command);
}

function kindOf(client: Client): TokenRequestExample["kind"] {
  if (isPublic(client)) return "public";
  return client.authentication.some((method) => /_(basic|post)$/.test(method))
    ? "confidential"
    : "key";
}

function commandOf(
  kind: TokenRequestExample["kind"],
  known: KnownTokenRequest,
  dpop: Client["dpop"] | undefined = known.client?.dpop,
): string {
  const { tokenEndpoint, code, redirectUri, codeVerifier = "<CODE_VERIFIER>", client } = known;
  const { id = "<CLIENT_ID>" } = client ?? {};
  const members = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...kind === "public" && { client_id: id },
    ...kind === "key" && {
      client_assertion_type: clientAssertionType,
      client_assertion: "<CLIENT_ASSERTION>",
    },
  };
  return [
    `curl -X POST ${inQuotes(tokenEndpoint)}`,
    ...kind === "confidential" ? [`-u ${inQuotes(`${encode(id)}:<CLIENT_SECRET>`)}`] : [],
    ...dpop === "required" ? [`-H 'DPoP: <DPOP_PROOF>'`] : [],
    `-H 'Content-Type: application/x-www-form-urlencoded'`,
    ...Object.entries(members).map(([name, value]) => `-d ${inQuotes(`${name}=${encode(value)}`)}`),
  ].join(" \\\n  ");
}

/** Percent-encodes what a shell, a form or a terminal could misread. Placeholders stay readable. */
function encode(value: string): string {
  if (placeholder.exec(value)?.[0] === value) return value;
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/");
}
