import { type CheckTable, should } from "../../../findings/sentences.ts";
import { readJwt } from "../../../recording/credentials.ts";
import { type Exchange, intendedForm } from "../../../recording/exchange.ts";
import { refusalEventOf } from "../../../recording/refusal.ts";
import {
  type Evidence,
  evidence,
  repeated,
  type ReportCheck,
  type ServerHistory,
} from "../report_check.ts";

/** The parameters with a JWT whose audience is the server. */
const assertionNames = ["client_assertion", "assertion", "request"];

const doubledSlash = /^\/\/(?:\.well-known|oauth2)\//;

/** What a client can get wrong about the issuer. The lab does not see how a client compares it. */
export const issuerChecks: CheckTable<ReportCheck> = {
  "issuer-slash": should("issuerIdentical", {
    kind: "interoperability",
    title: "A slash at its end makes an issuer a different one.",
    fix: "Configure the issuer as the metadata names it, and send requests to the endpoints there.",
    find: (history) => history.exchanges.flatMap((exchange) => slashIn(exchange, history.issuer)),
  }),
  "nothing-after-metadata": should("metadataIssuer", {
    kind: "interoperability",
    title: "The metadata was read more than once, and no other request followed.",
    fix: "If the client reports a wrong issuer, configure the one in the metadata, character by " +
      "character. An API that waits for its first token needs no change.",
    find: onlyMetadata,
  }),
};

/** Finds a refused request that has a slash too many, or lacks one, where the issuer ends. */
function slashIn(exchange: Exchange, issuer: string): Evidence[] {
  const { request } = exchange;
  if (exchange.faults.length > 0 || !refusalEventOf(exchange)) return [];
  if (doubledSlash.test(request.path)) {
    return [evidence([exchange], "two slashes after the issuer")];
  }
  const form = intendedForm(request);
  const name = assertionNames.find((each) => {
    const { aud } = readJwt(form.get(each) ?? request.query.get(each) ?? "")?.claims ?? {};
    return [aud].flat().includes(otherSpelling(issuer));
  });
  return name === undefined ? [] : [
    evidence(
      [exchange],
      `its aud is the issuer ${withOrWithoutSlash(otherSpelling(issuer))}`,
      name,
    ),
  ];
}

function otherSpelling(issuer: string): string {
  return issuer.endsWith("/") ? issuer.slice(0, -1) : `${issuer}/`;
}

function withOrWithoutSlash(issuer: string): string {
  return `${issuer.endsWith("/") ? "with" : "without"} a slash at its end`;
}

/**
 * Finds metadata that a program read again, before it sent anything else. It may have compared the
 * issuer and stopped. An API fetches the keys as well.
 */
function onlyMetadata({ exchanges, flows, issuer }: ServerHistory): Evidence[] {
  const isOther = ({ request, faults }: Exchange) =>
    request.endpoint !== undefined || faults.length > 0;
  if (flows().length > 0 || exchanges.some(isOther)) return [];
  const name = `${issuer}, ${withOrWithoutSlash(issuer)}`;
  return repeated(exchanges.filter(isReadMetadata), ({ request }) => request.path)
    .map((group) => evidence(group, `read ${group.length} times; it names the issuer ${name}`));
}

/** Whether a program asks for the document as such. A health check looks at the status alone. */
function isReadMetadata({ request, response }: Exchange): boolean {
  const { method, path, headers } = request;
  const isForReader = headers.origin !== undefined || /\bjson\b/i.test(headers.accept ?? "");
  return method === "GET" && path.includes("/.well-known/") && isForReader &&
    response?.status === 200;
}
