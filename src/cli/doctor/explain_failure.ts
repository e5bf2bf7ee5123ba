import { printable } from "../printable.ts";

/** What runtimes say of a connection that fails, each in its own words, and what it means. */
const meanings: ReadonlyArray<[said: RegExp, means: string]> = [
  [/ECONNREFUSED|connection refused/i, "nothing listens at that port"],
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "nobody here knows that name"],
  [/EHOSTUNREACH|ENETUNREACH|unreachable/i, "no network leads there from here"],
  [
    /TimeoutError|ETIMEDOUT|timed out/i,
    "nothing came in time; something between here and there may drop what is sent",
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has )?expired|not valid yet|certificate: (?:Expired|NotValidYet)/i,
    "its certificate is not valid today",
  ],
  [/ALTNAME_INVALID|NotValidForName|not valid for name/i, "its certificate is for another name"],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|UnknownIssuer|CaUsedAsEndEntity|self.signed|invalid peer certificate/i,
    "its certificate is signed by nobody whom this machine trusts; say whom to trust with NODE_EXTRA_CA_CERTS=FILE, or DENO_CERT=FILE on Deno, to the clients as well",
  ],
  [
    /InvalidContentType|WRONG_VERSION_NUMBER|packet length too long|EPROTO|handshake/i,
    "it does not speak https at that port; try http",
  ],
  [
    /ECONNRESET|UND_ERR_SOCKET|closed before|socket hang up|closed unexpectedly/i,
    "the connection was closed at once; it may speak https at that port",
  ],
];

/** Says in plain words why a server could not be asked. */
export function explainFailure(cause: unknown): string {
  const said = wordsOf(cause);
  return meanings.find(([pattern]) => pattern.test(said))?.[1] ?? printable(said);
}

/** An error tells little by itself: what happened stands in what caused it. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const own = [cause.name, code, cause.message].filter(Boolean).join(" ");
  return cause.cause === undefined ? own : `${own}: ${wordsOf(cause.cause)}`;
}
