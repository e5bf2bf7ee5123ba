import { findClient } from "../../../server/issuer/clients/clients.ts";
import { randomSecret } from "../../../server/issuer/random.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import { headerOf, type WireResponse } from "../../recording/exchange.ts";
import { callbackIn, type CallbackMembers, memberOf } from "../../recording/wire_callback.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { callback } from "../../responses/part.ts";
import { mayCallBack, places } from "../../responses/places.ts";
import type { ReadableCallback } from "../../tokens/signed_callback.ts";
import { isAddress } from "../../util/own_addresses.ts";
import type { FaultContext, FaultKind } from "./fault.ts";
import { changing } from "./fault_kinds.ts";

/** The name of a fault in an authorization response. */
export type CallbackFaultName = `callback.${
  | "wrong_state"
  | "without_state"
  | "doubled_state"
  | "wrong_iss"
  | "without_iss"
  | "doubled_iss"
  | "iss_with_slash"
  | "foreign_code"
  | "other_redirect_uri"
  | "fixated_session"
  | "error_and_code"
  | "denied"
  | "duplicate"}`;

export const callbackFaults: Record<CallbackFaultName, FaultKind> = {
  "callback.wrong_state": callbackFault(
    "The callback has a different state than the request.",
    set("state", "another-state"),
    "state",
  ),
  "callback.without_state": callbackFault("The callback has no state.", drop("state"), "state"),
  "callback.doubled_state": callbackFault(
    "The callback has two states: that of the request and a different one.",
    add("state", "another-state"),
    "state",
  ),
  "callback.wrong_iss": callbackFault(
    "The callback names a different issuer.",
    set("iss", "https://attacker.example"),
    "iss",
  ),
  "callback.without_iss": callbackFault(
    "The callback has no iss, although the metadata promises one.",
    drop("iss"),
    "iss",
  ),
  "callback.doubled_iss": callbackFault(
    "The callback names two issuers: the right one and a different one.",
    add("iss", "https://attacker.example"),
    "iss",
  ),
  "callback.iss_with_slash": callbackFault(
    "The callback names the issuer with a slash more or less at its end.",
    (members) =>
      members.map(([name, value]) => [name, name === "iss" ? withOtherSlash(value) : value]),
    "iss",
  ),
  "callback.foreign_code": changing(
    callback,
    "The callback has a code from a different session.",
    async (found, context) => {
      const code = await codeOfAnotherLogin(found, context) ?? "";
      return { ...found, members: set("code", code)(found.members) };
    },
    async (found, { server: { context } }) =>
      await context.records.codes.get(memberOf(found, "code") ?? "") !== undefined,
  ),
  "callback.other_redirect_uri": changing(
    callback,
    "The callback comes to another redirect URI of the client (cross-toolkit account takeover).",
    async (found, context) => {
      const redirectUri = await otherRedirectUri(found, context) ?? found.redirectUri;
      return { ...found, redirectUri };
    },
    async (found, context) => await otherRedirectUri(found, context) !== undefined,
  ),
  "callback.fixated_session": {
    summary:
      "The second authorization request gets the response to the first, so that one session " +
      "completes what another began (session fixation).",
    appliesTo: (request) => places.authorize(request) && request.method === "GET",
    async respond({ fault, request, memory }, proceed) {
      const begun = memory.get(fault.id);
      if (begun === request.url) return await proceed();
      if (begun !== undefined) return redirectTo(begun);
      memory.set(fault.id, request.url);
      return failureResponse(503, "temporarily_unavailable", "This request is for someone else.");
    },
  },
  "callback.error_and_code": callbackFault(
    "The callback has both an error and a code.",
    (members) => [["error", "access_denied"], ...members],
    "code",
  ),
  "callback.denied": callbackFault("The user denies the request.", (members) => [
    ["error", "access_denied"],
    ["error_description", "The user did not allow this."],
    ...members.filter(([name]) => name === "state" || name === "iss"),
  ], "code"),
  "callback.duplicate": {
    summary: "The browser opens the callback twice.",
    appliesTo: mayCallBack,
    canChange: (response, { server }) => callbackIn(response, server.issuer)?.mode === "query",
    change: (response, { server }) => pageThatOpensTwice(response, server.issuer),
  },
};

function redirectTo(url: string): WireResponse {
  return { status: 303, headers: [["Location", url], ["Cache-Control", "no-store"]], body: "" };
}

/** Issues another code for the user of a response: a login that another browser has begun. */
async function codeOfAnotherLogin(
  found: ReadableCallback,
  { server: { context } }: FaultContext,
): Promise<string | undefined> {
  const { codes } = context.records;
  const row = await codes.get(memberOf(found, "code") ?? "");
  if (!row) return undefined;
  const { codeChallenge, nonce, ...value } = row.value;
  const [code, verifier] = [randomSecret(context), randomSecret(context)];
  const own = {
    ...codeChallenge !== undefined && { codeChallenge: await sha256(verifier) },
    ...nonce !== undefined && { nonce: randomSecret(context) },
  };
  await codes.put(code, { ...value, ...own }, row.expiresAt);
  return code;
}

/**
 * Returns a registered redirect URI that the request of a response did not name, and at which an
 * application is: at one of the lab, where demo clients return as well, nothing could notice it.
 */
async function otherRedirectUri(
  found: ReadableCallback,
  { server: { context } }: FaultContext,
): Promise<string | undefined> {
  const code = await context.records.codes.find(memberOf(found, "code") ?? "");
  const authorization = code && await context.records.authorizations.find(code.authorization);
  const client = authorization && await findClient(context, authorization.clientId);
  const { addresses } = context.settings;
  return client?.redirectUris.find((uri) =>
    uri !== code?.redirectUri && !isAddress(uri, addresses)
  );
}

/** Creates a fault that never fires without a parameter: a client may have sent no `state`. */
function callbackFault(
  summary: string,
  change: (members: CallbackMembers) => CallbackMembers,
  needed: string,
): FaultKind {
  return changing(
    callback,
    summary,
    (found) => ({ ...found, members: change(found.members) }),
    ({ members }) => members.some(([name]) => name === needed),
  );
}

/** Returns a page that opens the callback in a frame, and then in place of itself. */
function pageThatOpensTwice(response: WireResponse, issuer: string): WireResponse {
  const url = new URL(headerOf(response, "Location") ?? "", issuer).href;
  const frame = `<iframe src="${url.replaceAll("&", "&amp;")}"></iframe>`;
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["Refresh", `0; url=${url}`],
    ],
    body: `<!doctype html><title>Twice</title>${frame}`,
  };
}

function withOtherSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : `${url}/`;
}

function set(name: string, value: string) {
  return (members: CallbackMembers): CallbackMembers => [...drop(name)(members), [name, value]];
}

function drop(name: string) {
  return (members: CallbackMembers): CallbackMembers => members.filter(([each]) => each !== name);
}

function add(name: string, value: string) {
  return (members: CallbackMembers): CallbackMembers => [...members, [name, value]];
}
