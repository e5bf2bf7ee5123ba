import { callbackIn, type WireCallback, withCallback } from "../recording/wire_callback.ts";
import type { FaultKind } from "./fault.ts";
import { onTheWayBack } from "./places.ts";

type CallbackMembers = WireCallback["members"];

/** A fault of the authorization response. */
export type CallbackFault = `callback.${
  | "wrong_state"
  | "without_state"
  | "doubled_state"
  | "wrong_iss"
  | "without_iss"
  | "doubled_iss"
  | "foreign_code"
  | "error_and_code"
  | "denied"
  | "duplicate"}`;

/** What can go wrong on the way back to the client. */
export const callbackFaults: Record<CallbackFault, FaultKind> = {
  "callback.wrong_state": changed(
    "The callback has another state than the request.",
    set("state", "another-state"),
    "state",
  ),
  "callback.without_state": changed("The callback has no state.", drop("state"), "state"),
  "callback.doubled_state": changed(
    "The callback has the state twice, the second time another one.",
    add("state", "another-state"),
    "state",
  ),
  "callback.wrong_iss": changed(
    "The callback names another issuer.",
    set("iss", "https://attacker.example"),
    "iss",
  ),
  "callback.without_iss": changed(
    "The callback names no issuer, though the metadata promises one.",
    drop("iss"),
    "iss",
  ),
  "callback.doubled_iss": changed(
    "The callback names two issuers.",
    add("iss", "https://attacker.example"),
    "iss",
  ),
  "callback.foreign_code": changed(
    "The callback has a code of another session.",
    set("code", "4Xc0deOfAnotherSess1on-4Xc0deOfAnotherSess1"),
    "code",
  ),
  "callback.error_and_code": changed(
    "The callback has an error and a code.",
    (members) => [["error", "access_denied"], ...members],
    "code",
  ),
  "callback.denied": changed("The user denies.", (members) => [
    ["error", "access_denied"],
    ["error_description", "The user did not allow this."],
    ...members.filter(([name]) => name === "state" || name === "iss"),
  ], "code"),
  "callback.duplicate": {
    summary: "The callback comes twice: a page sends the browser to it once more.",
    appliesTo: onTheWayBack,
    canChange: (response, { server }) => callbackIn(response, server.issuer)?.mode === "query",
    change: (response, { server }) => {
      const location = new URL(
        response.headers.find(([name]) => name.toLowerCase() === "location")![1],
        server.issuer,
      ).href;
      const again = `<!doctype html><title>Twice</title><iframe src="${
        location.replaceAll("&", "&amp;")
      }"></iframe>`;
      const refresh: [string, string] = ["Refresh", `0; url=${location}`];
      return {
        status: 200,
        headers: [
          ["Content-Type", "text/html; charset=utf-8"],
          ["Cache-Control", "no-store"],
          refresh,
        ],
        body: again,
      };
    },
  },
};

/** What is not there cannot be wrong: a client that sent no state minds none, and one that reads a signed response nothing beside it. */
function changed(
  what: string,
  change: (members: CallbackMembers) => CallbackMembers,
  needed: string,
): FaultKind {
  return {
    summary: what,
    appliesTo: onTheWayBack,
    canChange: (response, { server }) => {
      const callback = callbackIn(response, server.issuer);
      return callback !== undefined && callback.members.some(([name]) => name === needed);
    },
    change: (wireResponse, { server }) => {
      const callback = callbackIn(wireResponse, server.issuer)!;
      return withCallback(wireResponse, { ...callback, members: change(callback.members) });
    },
  };
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
