import { createProxyTest } from "../../http/client_address.ts";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { applyRule, ruleSet } from "../../protocol/rule.ts";
import { parseUrl } from "../../util/addresses/uri.ts";
import type { Der } from "../../util/bytes/der.ts";
import { mtlsOf } from "./config.ts";

const own = "Client-Cert";
const above = "Client-Cert-Chain";

const about = { see: "RFC 9440, section 2.4", parameter: own, error: "invalid_request" } as const;

/** What a proxy writes about the certificate of a client. Of a stranger, it would prove nothing. */
const clientCertRules = ruleSet("client_cert", about, {
  connection: {
    title: "A request over TLS with a certificate must not have the header 'Client-Cert'",
    holds: (certificates: readonly Uint8Array[]) => certificates.length === 0,
  },
  proxy: {
    title: "The header 'Client-Cert' must come from a proxy that the server knows for it",
    fix: "Remove the header. The setting 'mtls.proxies' names the addresses of the proxies.",
    holds: ({ isProxy }: { isProxy: boolean; peer: string | undefined }) => isProxy,
    received: ({ peer }) => peer ?? "no address",
  },
  host: {
    title: "The header 'Client-Cert' must come from the host of 'mtls.url'",
    fix: "Let the proxy remove the header at every other host, and pass on 'Host'.",
    holds: ({ host, expected }: { host: string | undefined; expected: string | undefined }) =>
      expected === undefined || host === expected,
    expected: ({ expected = "" }) => expected,
    received: ({ host }) => host ?? "no host",
  },
  form: {
    title: "The header 'Client-Cert' must be one byte sequence, ':MIIC...:'",
    see: "RFC 9440, section 2.2",
  },
  chain: {
    title: "The header 'Client-Cert-Chain' must be a list of byte sequences",
    parameter: above,
    see: "RFC 9440, section 2.3",
  },
});

/**
 * A byte sequence of structured fields (RFC 9651, section 3.3.5), without parameters. The padding
 * of its Base64 may be missing (section 4.2.7).
 */
const byteSequence = /^:((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?):$/;

const proxyTest = serverPart(({ settings }) => createProxyTest(mtlsOf(settings)?.proxies ?? []));

/** Returns the certificates that the sender of a request proved, in DER, its own first. */
export function peerCertificates(ctx: RequestContext): readonly Uint8Array[] {
  return readPeer(ctx, applyRule);
}

/** Checks where the headers about a certificate come from. From a stranger they are refused. */
export function checkPeer(ctx: RequestContext): void {
  readPeer(ctx, ctx.apply);
}

function readPeer(
  ctx: RequestContext,
  apply: RequestContext["apply"],
): readonly Uint8Array[] {
  const { request: { headers, certificates = [] }, origin: { peer } } = ctx;
  const [ownHeader, aboveHeader] = [headers.get(own), headers.get(above)];
  if (ownHeader === null && aboveHeader === null) return certificates;
  apply(clientCertRules.connection, certificates);
  apply(clientCertRules.proxy, { isProxy: peer !== undefined && proxyTest(ctx)(peer), peer });
  apply(clientCertRules.host, hostsOf(ctx));
  // A header that came twice has a comma, and is none of one certificate.
  const first = readSequence(ownHeader ?? "");
  apply(clientCertRules.form, first);
  const others = aboveHeader?.split(",").map((each) => readSequence(each.trim())) ?? [];
  apply(clientCertRules.chain, others.every((each) => each) || undefined);
  return [first, ...others].flatMap((each) => each ?? []);
}

/** Only where a proxy asks for certificates does it replace the header that a client sends. */
function hostsOf({ request: { headers, url }, settings }: RequestContext) {
  const host = headers.get("Host");
  const at = (address: string | undefined) => parseUrl(address ?? "")?.host;
  // Clients speak https to the proxy, so a host without a port means port 443.
  return {
    host: host === null ? at(url) : at(`https://${host}`),
    expected: at(mtlsOf(settings)?.url),
  };
}

function readSequence(text: string): Der | undefined {
  const [, base64] = byteSequence.exec(text) ?? [];
  if (!base64) return undefined;
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
