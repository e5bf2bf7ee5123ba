import { messagesOf } from "./error_message.ts";

/** What a failed connection means, by the words of each runtime. */
const explanations: ReadonlyArray<[words: RegExp, explanation: string]> = [
  [/ECONNREFUSED|connection ?refused|unable to connect/i, "nothing is listening on that port"],
  [
    /ports? \d* ?(?:is|are) blocked|bad port/i,
    "fetch refuses that port, which is reserved for another protocol",
  ],
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

/** Explains why a request to a server failed, in our words where they are known. */
export function explainFailure(cause: unknown): string {
  const words = `${nameOf(cause)} ${messagesOf(cause)}`.trim();
  const match = explanations.find(([pattern]) => pattern.test(words));
  return match?.[1] ?? `the request failed with "${words}"`;
}

/** The name of an error, which tells a timeout from other ends of a request. */
function nameOf(cause: unknown): string {
  return cause instanceof Error && cause.name !== "Error" ? cause.name : "";
}
