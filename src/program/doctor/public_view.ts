import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { explainFailure } from "./explain_failure.ts";

/** What a browser on the internet sees of a server: its certificate, a page, and plain http. */
export interface PublicView {
  certificate: CertificateView;
  /** The home page, or undefined if it did not respond. */
  page: PageView | undefined;
  /** What http responds in place of https. Undefined if nothing listens there. */
  plainHttp: { status: number; location: string | null } | undefined;
}

/** A certificate as this machine judges it. */
export type CertificateView =
  | { kind: "trusted"; validUntil: number }
  | { kind: "untrusted"; code: string }
  | { kind: "unknown"; reason: string };

/** What matters of a page beside its text. */
export interface PageView {
  headers: Headers;
  cookies: readonly string[];
  /** The time by the server's clock and by ours, in milliseconds. */
  serverTime: number;
  ownTime: number;
}

/** How this machine reaches others. */
export interface PublicNetwork {
  fetch(url: string, init: RequestInit): Promise<Response>;
  certificateOf(hostname: string, port: number): Promise<CertificateView>;
  now(): number;
}

/** How long a server may take to respond, in milliseconds. */
const timeout = 3_000;

const systemNetwork: PublicNetwork = { fetch, certificateOf, now: Date.now };

/** Looks at an https issuer as the browser of a user does. */
export async function readPublicView(
  issuer: string,
  network: PublicNetwork = systemNetwork,
): Promise<PublicView> {
  const { hostname, port } = new URL(issuer);
  const [certificate, page, plainHttp] = await Promise.all([
    network.certificateOf(hostname, Number(port) || 443),
    viewPage(issuerUrl(issuer, "/"), network).catch(() => undefined),
    viewPlainHttp(hostname, network).catch(() => undefined),
  ]);
  return { certificate, page, plainHttp };
}

async function viewPage(url: string, network: PublicNetwork): Promise<PageView> {
  const response = await get(url, network);
  const { headers } = response;
  return {
    headers,
    cookies: headers.getSetCookie(),
    serverTime: Date.parse(headers.get("Date") ?? ""),
    ownTime: network.now(),
  };
}

async function viewPlainHttp(hostname: string, network: PublicNetwork) {
  const { status, headers } = await get(`http://${hostname}/`, network);
  return { status, location: headers.get("Location") };
}

async function get(url: string, network: PublicNetwork): Promise<Response> {
  const signal = AbortSignal.timeout(timeout);
  const response = await network.fetch(url, { signal, redirect: "manual" });
  await response.body?.cancel();
  return response;
}

/** Connects with TLS, and reads the certificate whether or not it is trusted. */
async function certificateOf(host: string, port: number): Promise<CertificateView> {
  const { connect } = await import("node:tls");
  return await new Promise((resolve) => {
    const options = { host, port, servername: host, rejectUnauthorized: false, timeout };
    const socket = connect(options, () => {
      const validUntil = Date.parse(socket.getPeerCertificate().valid_to);
      const code = String(socket.authorizationError);
      resolve(socket.authorized ? { kind: "trusted", validUntil } : { kind: "untrusted", code });
      socket.destroy();
    });
    socket.on("error", (cause) => resolve({ kind: "unknown", reason: explainFailure(cause) }));
    socket.on("timeout", () => {
      resolve({ kind: "unknown", reason: "it did not respond in time" });
      socket.destroy();
    });
  });
}
