import { day, minute, second } from "../../server/util/time/duration.ts";
import { printable } from "../terminal/printable.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { CertificateView, PageView, PublicView } from "./public_view.ts";

/** How many days before its end a certificate is worth a note. */
const renewalDays = 14;

/** Clients usually tolerate a minute between clocks: then their checks of `exp` and `nbf` fail. */
const noteworthyClockError = 5 * second;
const maxClockError = 1 * minute;

/** Headers of our pages that must arrive as we send them. */
const pageHeaders = ["Content-Security-Policy", "X-Frame-Options", "Referrer-Policy"];

/** What to do about a certificate that is not trusted, by the code of OpenSSL. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired. Renew it",
  CERT_NOT_YET_VALID: "it is not valid yet. Check the clocks",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another name",
  SELF_SIGNED_CERT_IN_CHAIN: "its authority is not trusted on this machine",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its authority is not trusted on this machine",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its authority is not known. Let the server send the whole chain, with each certificate " +
    "between its own and that of the authority: nginx needs fullchain.pem",
};

/**
 * Judges what a browser sees of a server for real use. An error page of a proxy says nothing about
 * the pages of the server: `page` is undefined then.
 */
export function diagnosePublicView(view: PublicView, issuer: string, now: number): Diagnosis[] {
  const { page } = view;
  return [
    diagnoseCertificate(view.certificate, now),
    ...page ? [...diagnoseClock(page), ...diagnoseHeaders(page), ...diagnoseCookies(page)] : [],
    ...diagnosePlainHttp(view.plainHttp, issuer),
  ];
}

function diagnoseCertificate(certificate: CertificateView, now: number): Diagnosis {
  if (certificate.kind === "unknown") {
    return problem(`The certificate cannot be read: ${certificate.reason}.`);
  }
  if (certificate.kind === "untrusted") {
    const { code } = certificate;
    return problem(`The certificate is not trusted: ${certificateProblems[code] ?? code}.`);
  }
  const days = Math.floor((certificate.validUntil - now) / 1000 / day);
  const message = `The certificate is trusted, and valid for ${days} more days.`;
  return days < renewalDays ? note(`${message} Renew it.`) : ok(message);
}

function diagnoseClock({ serverTime, ownTime }: PageView): Diagnosis[] {
  // The header has whole seconds.
  const error = Math.round(Math.abs(serverTime - ownTime) / 1000);
  if (Number.isNaN(error)) return [];
  if (error < noteworthyClockError) return [ok("The server's clock agrees with this machine's.")];
  const direction = serverTime > ownTime ? "ahead of" : "behind";
  const message = `The server's clock is ${error} seconds ${direction} this machine's.`;
  if (error < maxClockError) return [note(message)];
  return [problem(`${message} Clients will reject its tokens. Synchronize both by NTP.`)];
}

function diagnoseHeaders({ headers }: PageView): Diagnosis[] {
  const missing = pageHeaders.filter((name) => !headers.has(name));
  const framing = headers.get("X-Frame-Options");
  return [
    ...missing.length === 0
      ? []
      : [problem(`Pages arrive without ${missing.join(" and ")}: let the proxy pass them on.`)],
    ...framing === null || framing === "DENY" ? [] : [
      problem(
        `Pages arrive with X-Frame-Options: ${
          printable(framing)
        }. The server sends DENY; browsers ` +
          "may ignore a value that a proxy adds to.",
      ),
    ],
    ...headers.has("Strict-Transport-Security") ? [] : [
      note(
        "Responses have no Strict-Transport-Security. Let the proxy add it, so that browsers use " +
          "nothing but https.",
      ),
    ],
  ];
}

/** A browser ignores a cookie with the prefix `__Host-` that was changed on its way. */
function diagnoseCookies({ cookies }: PageView): Diagnosis[] {
  const own = cookies.find((cookie) => cookie.startsWith("__Host-hallpass-"));
  if (own === undefined) {
    return [problem("The cookie of the browser does not arrive, so users cannot sign in.")];
  }
  const attributes = own.split(";").slice(1).map((text) => text.trim().toLowerCase());
  const isIntact = attributes.includes("secure") && attributes.includes("path=/") &&
    !attributes.some((text) => text.startsWith("domain="));
  if (isIntact) return [ok("Pages arrive with their headers and their cookie.")];
  return [
    problem(
      "The cookie of the browser was changed on its way, and browsers will ignore it: it needs " +
        "Secure and Path=/, and no Domain.",
    ),
  ];
}

function diagnosePlainHttp(plainHttp: PublicView["plainHttp"], issuer: string): Diagnosis[] {
  if (plainHttp === undefined) return [];
  const { status, location } = plainHttp;
  const { hostname } = new URL(issuer);
  if (location !== null && URL.canParse(location)) {
    const target = new URL(location);
    if (target.protocol === "https:" && target.hostname === hostname) {
      return [ok(`http://${hostname} redirects to https.`)];
    }
  }
  const message = `http://${hostname} responds with status ${status} in place of a redirect to ` +
    `https://${hostname}.`;
  return [
    status < 400 ? problem(`${message} Users may send passwords in the clear.`) : note(message),
  ];
}

function ok(message: string): Diagnosis {
  return { level: "ok", message };
}

function note(message: string): Diagnosis {
  return { level: "note", message };
}

function problem(message: string): Diagnosis {
  return { level: "problem", message };
}
