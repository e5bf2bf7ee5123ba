import { printable } from "../terminal/printable.ts";

/** What a failed connection means, by the words of each runtime. */
const explanations: ReadonlyArray<[words: RegExp, explanation: string]> = [
  [/ECONNREFUSED|connection ?refused|unable to connect/i, "nothing is listening on that port"],
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "the name does not resolve here"],
  [/EHOSTUNREACH|ENETUNREACH|unreachable/i, "there is no route to it from here"],
  [
    /TimeoutError|ETIMEDOUT|timed out/i,
    "it did not respond in time; a firewall may drop the packets",
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has )?expired|not valid yet|certificate: (?:Expired|NotValidYet)/i,
    "its certificate is not valid today",
  ],
  [/ALTNAME_INVALID|NotValidForName|not valid for name/i, "its certificate is for another name"],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|UnknownIssuer|CaUsedAsEndEntity|self.signed|invalid peer certificate/i,
    "its certificate is not signed by an authority that this machine trusts; set " +
    "NODE_EXTRA_CA_CERTS=FILE, or DENO_CERT=FILE on Deno, here and for the clients",
  ],
  [
    /InvalidContentType|WRONG_VERSION_NUMBER|packet length too long|EPROTO|handshake/i,
    "it does not speak https on that port; try http",
  ],
  [
    /ECONNRESET|UND_ERR_SOCKET|closed before|socket hang up|closed unexpectedly/i,
    "the connection was closed immediately; that port may expect https",
  ],
];

/** Explains why a request to a server failed. */
export function explainFailure(cause: unknown): string {
  const words = wordsOf(cause);
  const match = explanations.find(([pattern]) => pattern.test(words));
  return match?.[1] ?? printable(words);
}

/** Joins the names, codes and messages of an error and its causes; the last cause knows most. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const own = [cause.name, code, cause.message].filter(Boolean).join(" ");
  return cause.cause === undefined ? own : `${own}: ${wordsOf(cause.cause)}`;
}
