import { UnsecuredJWT } from "jose";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { backchannelRules } from "../../../src/server/features/ciba/backchannel_rules.ts";
import { applyRule } from "../../../src/server/protocol/rule.ts";
import type { RuleOutsideLab } from "../../support/broken_rules/outside_lab.ts";
import type { RuleRows } from "../../support/broken_rules/rule_lab.ts";
import {
  agent,
  beginCiba,
  beginFapi,
  beginSigned,
  cibaClaims,
  fapiAgent,
  fapiFields,
  openRequest,
  otherAgent,
  otherHeaders,
  signCiba,
  withPings,
} from "../../support/ciba.ts";
import { makeClientKey, signWithSecret } from "../../support/client_key.ts";
import {
  basic,
  type Fields,
  type Kit,
  type RequestHeaders,
  startOfTime,
} from "../../support/kit.ts";
import { firstOfEach, polledRows } from "../../support/polled_rows.ts";
import { type PlayInSettings, type Refusals, toRows } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

type Settings = Partial<LabConfig>;
type OpenRequest = Awaited<ReturnType<typeof openRequest<Kit>>>;

const minute = 60;
const now = startOfTime / 1000;
const coded = { backchannelUserCode: true };
const userCodes = { alice: "1234" };
const teamClaims = { email: "team@example.com" };

/** Sends a request with changes. */
function asks(fields: Fields, settings: Settings = {}, headers?: RequestHeaders): PlayInSettings {
  return { settings, play: (kit) => beginCiba(kit, fields, headers) };
}

/** Sends a signed request with changes, or another request object. */
function signs(
  changes: Record<string, unknown>,
  settings: Settings = {},
  make?: (kit: Kit) => string | Promise<string>,
): PlayInSettings {
  return { settings, play: async (kit) => await beginSigned(kit, changes, await make?.(kit)) };
}

/** Sends a request under the profile fapi-2.0. */
function asksUnderProfile(play: (kit: Kit) => unknown): PlayInSettings {
  return { settings: { profile: "fapi-2.0", clients: [fapiAgent] }, play };
}

/** Begins a request, and then something happens to it. */
function then(act: (request: OpenRequest) => unknown, settings: Settings = {}): PlayInSettings {
  return { settings, play: async (kit) => await act(await openRequest(kit)) };
}

/** Decides on a page that was opened before something happened. */
function decides(act: (request: OpenRequest) => unknown): PlayInSettings {
  return then(async (request) => {
    const browser = request.kit.browser();
    const page = await request.review(browser);
    await act(request);
    await browser.decide(page);
  });
}

/** What a request has, and what its client and the server have, if that matters. */
type Case = [fields: Fields, client?: object, settings?: Settings];

const isUserName: LabConfig["userCodes"] = ({ name }, code) => code === name;

/** Wrong requests by the rule that each breaks, and by the title of its test. */
const wrongRequests: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  "backchannel.openid": {
    "C09 a scope without openid": [{ scope: "read" }],
  },
  "scope.allowed": { "C09 an unknown scope": [{ scope: "openid admin" }] },
  "form.unique": { "a scope sent twice": [{ scope: ["openid", "read"] }] },
  "resource.form": { "an unknown resource": [{ resource: "x" }] },
  "form.stored_length": { "M8: a long acr_values": [{ acr_values: "x".repeat(3000) }] },
  "backchannel.signed": {
    "C14 no signature, despite an algorithm": [{}, { backchannelRequestAlg: "ES256" }],
  },
  "backchannel.binding_message": {
    "C05 a long binding_message": [{ binding_message: "x".repeat(65) }],
    "C05 a binding_message of two lines": [{ binding_message: "a\nb" }],
    "C05 a binding_message that turns text around": [{ binding_message: "a\u202eb" }],
    "C05 a binding_message of a space": [{ binding_message: " " }],
    "C05 a binding_message with spaces around": [{ binding_message: " A1" }],
    "C05 a letter that shows nothing as binding_message": [{ binding_message: "\u3164" }],
    "C05 an empty Braille pattern as binding_message": [{ binding_message: "\u2800" }],
    "C05 a binding_message with a joiner that shows nothing": [{ binding_message: "A\u034f1" }],
    "C05 a binding_message with a variation selector": [{ binding_message: "A\ufe0f1" }],
    "C05 a binding_message with a tag": [{ binding_message: "A\u{e0041}1" }],
    "C05 a letter with a pile of marks": [{ binding_message: `A${"\u0301".repeat(8)}` }],
  },
  "backchannel.requested_expiry": {
    "C04 a requested_expiry of 0": [{ requested_expiry: "0" }],
    "C04 a negative requested_expiry": [{ requested_expiry: "-1" }],
    "C04 a requested_expiry that is no number": [{ requested_expiry: "5m" }],
  },
  "backchannel.no_hint_token": {
    "C03 a login_hint_token, with the reason": [{ login_hint_token: "x" }],
  },
  "backchannel.one_hint": {
    "C02 no hint": [{ login_hint: undefined }],
    "C02 two hints": [{ id_token_hint: "x" }],
  },
  "backchannel.user_known": {
    "C02 an unknown user": [{ login_hint: "nobody" }],
    "C02 a subject of another issuer": [{
      login_hint: JSON.stringify({ format: "iss_sub", iss: "https://a.example", sub: "alice" }),
    }],
    "C02 a subject in another format": [{
      login_hint: JSON.stringify({ format: "opaque", iss: "https://hallpass.test", sub: "alice" }),
    }],
    "C02 a user outside the groups of the client": [{}, { groups: ["board"] }],
    "C02 a hint that two users share": [{ login_hint: teamClaims.email }, {}, {
      users: ["one", "two"].map((name) => ({ name, password: name, claims: teamClaims })),
    }],
  },
  "id_token_hint.known": {
    "C02 an ID token of another server": [{ login_hint: undefined, id_token_hint: "x" }],
  },
  "backchannel.notification_token": { "C16 no token for pings": [{}, withPings] },
  "backchannel.notification_token_form": {
    "C16 a token that can be guessed": [{ client_notification_token: "abc" }, withPings],
    "C16 a long token": [{ client_notification_token: "x".repeat(1025) }, withPings],
    "C16 no bearer token": [{ client_notification_token: "a token with spaces, long" }, withPings],
  },
  "backchannel.user_code_present": { "C06 no user code": [{}, coded, { userCodes }] },
  "backchannel.user_code": {
    "C06 a wrong user code": [{ user_code: "1" }, coded, { userCodes }],
    "C06 that of alice": [{ user_code: "1234", login_hint: "bob" }, coded, { userCodes }],
    "C06 a code that a function refuses": [{ user_code: "1234" }, coded, { userCodes: isUserName }],
  },
};

const refusedParameters: Refusals = Object.fromEntries(
  Object.entries(wrongRequests).flatMap(([rule, cases]) =>
    Object.entries(toRows(cases, ([fields, client, settings]) => [
      rule,
      asks(fields, { clients: [agent(client)], ...settings }),
    ]))
  ),
);

/** The requests that are refused. */
export const refusedRequests: Refusals = {
  "C08 a client without the grant": [
    "backchannel.allowed",
    asks({}, {}, basic("demo-web", "demo-web-secret")),
  ],
  "C08 a public client": ["backchannel.allowed", asks({ client_id: "demo-spa" }, {}, {})],
  "C08 a wrong secret": ["client.authenticated", asks({}, {}, basic("demo-agent", "wrong"))],
  "C08 no client at all": ["client.named", asks({}, {}, {})],
  ...refusedParameters,
  "C02 an ID token of another client": [
    "backchannel.user_known",
    then(async ({ kit, answer, poll }) => {
      await answer();
      const { id_token: id_token_hint } = (await poll()).body;
      await beginCiba(kit, { login_hint: undefined, id_token_hint }, otherHeaders);
    }, { clients: [agent(), otherAgent] }),
  ],
  "C18 a request for a user whom another client asked as often as is allowed": [
    "limit.backchannel_requests",
    then(
      ({ kit }) => beginCiba(kit, {}, otherHeaders),
      { clients: [agent(), otherAgent], backchannelRequestsPerMinute: 1 },
    ),
  ],
};

/** What a signed request must not be, with words of the problem; times in seconds from now. */
const wrongClaims: Readonly<Record<string, [changes: Record<string, unknown>, problem: string]>> = {
  "C15 no iss": [{ iss: undefined }, "it has no 'iss'"],
  "C15 no aud": [{ aud: undefined }, "it has no 'aud'"],
  "C15 no exp": [{ exp: undefined }, "it has no 'exp'"],
  "C15 no iat": [{ iat: undefined }, "it has no 'iat'"],
  "C15 no nbf": [{ nbf: undefined }, "it has no 'nbf'"],
  "C15 no jti": [{ jti: undefined }, "it has no 'jti'"],
  "C15 another client": [{ iss: "d" }, "its 'iss' is not the client_id"],
  "C15 the client as its subject": [{ sub: "demo-agent" }, "its 'sub' is the client_id"],
  "C15 another audience": [{ aud: "https://a" }, "its 'aud' is not 'https://hallpass.test'"],
  "C15 no text as its id": [{ jti: 1 }, "its 'jti' is not a string"],
  "C15 an end long ago": [{ nbf: now - 60, exp: now - 20 }, "it expired 20 seconds ago"],
  "C15 more than an hour": [{ exp: now + 3601 }, "its 'exp' is more than an hour after its 'nbf'"],
  "C15 a later beginning": [{ nbf: now + 60, exp: now + 90 }, "its 'nbf' is in the future"],
};

const objects: Readonly<Record<string, (kit: Kit) => string | Promise<string>>> = {
  "C15 a request object that is no JWT": () => "x",
  "C15 the secret of the client as the key": (kit) =>
    signWithSecret("demo-agent-secret", cibaClaims(kit)),
  "C15 the algorithm none": (kit) => new UnsecuredJWT(cibaClaims(kit)).encode(),
  "C15 the key of another client": async (kit) =>
    await (await makeClientKey()).sign(cibaClaims(kit)),
  "C15 a signature of nobody": async (kit) =>
    (await signCiba(kit)).split(".").with(2, "").join("."),
  "C15 a client assertion": async (kit) => `${(await fapiFields(kit)).client_assertion}`,
};

/** Signed requests that are refused. */
export const refusedObjects: Refusals = {
  "C14 a parameter besides the signed request": [
    "backchannel.object_alone",
    async (kit) => await beginCiba(kit, { request: await signCiba(kit), login_hint: undefined }),
  ],
  ...toRows(objects, (make) => ["backchannel.object", signs({}, {}, make)]),
  "C15 another algorithm than the registered one": [
    "backchannel.object",
    signs({}, { clients: [agent({ backchannelRequestAlg: "PS256" })] }),
  ],
  ...toRows(wrongClaims, ([changes, problem]) => ["backchannel.object", signs(changes), problem]),
  "C14 a list in the place of a value, of which one would count": [
    "form.unique",
    signs({ login_hint: ["alice", "bob"] }),
  ],
};

/** The profile that has rules of its own needs PAR. */
const hasPar = hasFeature("pushed authorization requests");

/** Requests that the profile fapi-2.0 refuses. */
export const refusedByProfile: Refusals = hasPar
  ? {
    "C20 an unsigned request": [
      "backchannel.signed",
      asksUnderProfile(async (kit) => await beginCiba(kit, await fapiFields(kit), {})),
    ],
    "C21 a request that the user cannot tell apart": [
      "backchannel.binding_message_present",
      asksUnderProfile((kit) => beginFapi(kit, { binding_message: undefined })),
    ],
    "C20 a request that lasts for more than an hour": [
      "backchannel.object",
      asksUnderProfile((kit) => beginFapi(kit, { exp: now + 61 * minute })),
    ],
  }
  : {};

/** What no request can break without PAR. */
export const cibaOutsideLab: Readonly<Record<string, RuleOutsideLab>> = hasPar ? {} : {
  "backchannel.binding_message_present": {
    reason: "Only the profile fapi-2.0 applies it, which needs PAR.",
    fail: () => applyRule(backchannelRules.binding_message_present, { isUnique: false }),
  },
};

const stored = agent({
  id: "stored",
  secret: "stored-agent-secret-0123456789",
  scopes: ["openid", "profile", "read"],
});

/** The polls that are refused, and the decisions. */
export const refusedPolls: Refusals = {
  ...polledRows({
    parameter: "auth_req_id",
    ids: "C12 C13 ",
    lifetime: 5 * minute,
    begin: openRequest,
    asOther: { clients: [agent(), otherAgent], headers: otherHeaders },
    stored: {
      client: stored,
      begin: (kit) => openRequest(kit, {}, basic(stored.id, `${stored.secret}`)),
    },
  }),
  "C23 a decision that comes too late": [
    "backchannel_decision.in_time",
    decides(({ kit }) => kit.clock.advance(5 * minute)),
    "request has expired",
  ],
  "C18 a poll for a request that a newer one replaced": [
    "auth_req_id.in_time",
    then(async ({ kit, poll }) => {
      await beginCiba(kit);
      await poll();
    }),
  ],
  "C18 a decision about a request that a newer one replaced": [
    "backchannel_decision.unused",
    decides(({ kit }) => beginCiba(kit)),
    "newer request",
  ],
  "C23 a second decision": [
    "backchannel_decision.unused",
    decides(({ answer }) => answer()),
    "already decided about",
  ],
};

const refusals = { ...refusedRequests, ...refusedObjects, ...refusedByProfile, ...refusedPolls };

export const cibaRuleRows: RuleRows = {
  file: "../../features/ciba/rule_rows.ts",
  rows: firstOfEach(refusals, /backchannel|auth_req_id/),
  successes: {
    "a backchannel request": (kit) => beginCiba(kit),
    "an auth_req_id": then(async ({ answer, poll }) => {
      await answer();
      await poll();
    }),
    "a signed backchannel request": (kit) => beginSigned(kit),
  },
};
