import { OutboundError } from "../../../src/server/http/outbound_fetch.ts";
import { featureFixtures } from "../../features.ts";
import { twice } from "../../support/broken_rules/limit_rows.ts";
import {
  api,
  type BrokenRules,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import { basic } from "../../support/kit.ts";
import { ask, type Play, token } from "../../support/refusals.ts";
import { initialAccessToken, redirectUri, register, sendJson } from "../../support/registration.ts";

const initialAccess = { registration: { initialAccessToken } };

/** Changes the registration of a client. */
function changeMetadata(changes: object): Play<RuleLab> {
  return async (kit) => {
    const { body } = await register(kit);
    const metadata = { client_id: body.client_id, redirect_uris: [redirectUri], ...changes };
    const { registration_client_uri: uri, registration_access_token: own } = body;
    await sendJson(kit, "PUT", uri, metadata, own);
  };
}

/** Changes the registration of a client with a token. */
function changeRegistration(token: string | undefined): Play<RuleLab> {
  return async (kit) => {
    const { body } = await register(kit);
    await sendJson(kit, "PUT", body.registration_client_uri, body, token);
  };
}

/** The rules of registration, in their order. */
const rows: BrokenRules = {
  "resource.allowed": {
    settings: { registration: { open: true, allow: { scopes: "any", resources: [] } } },
    play: async (kit) => {
      const { body: { client_id } } = await register(kit);
      await ask({ client_id, redirect_uri: redirectUri, resource: api })(kit);
    },
  },
  "limit.registrations": { settings: { registrationsPerMinute: 1 }, play: twice(register) },
  "initial_access.present": { settings: initialAccess, play: (kit) => register(kit) },
  "initial_access.right": { settings: initialAccess, play: (kit) => register(kit, {}, "a") },
  "registration.object": (kit) => sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, []),
  "registration.software_statement": (kit) => register(kit, { software_statement: "a" }),
  "registration.redirect_uris": (kit) => register(kit, { redirect_uris: [`${redirectUri}#a`] }),
  "registration.metadata": (kit) => register(kit, { grant_types: ["password"] }),
  "registration.sector_reachable": {
    settings: { fetchUntrusted: () => Promise.reject(new OutboundError("refused")) },
    play: (kit) => register(kit, { sector_identifier_uri: "https://sector.example/" }),
  },
  "registration.same_id": changeMetadata({ client_id: "other" }),
  "registration.same_secret": changeMetadata({ client_secret: "own" }),
  "registration_access.present": changeRegistration(undefined),
  "registration_access.right": changeRegistration("a"),
};

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

const grantTypes = [
  ...featureFixtures.flatMap((each) => each.grantTypes ?? []),
  ...["authorization_code", "client_credentials"],
];

/** Requests of registered clients that succeed. */
const successes: BrokenRules = {
  "registration": async (kit) => {
    const { body } = await register(kit);
    const { client_id, redirect_uris, registration_access_token: own } = body;
    const changed = { client_id, redirect_uris, token_endpoint_auth_method: "none" };
    const uri = body.registration_client_uri;
    await sendJson(kit, "PUT", uri, changed, own);
    for (const method of ["GET", "DELETE"]) {
      await kit.server.fetch(new Request(uri, { method, headers: bearer(own) }));
    }
  },
  "a registered client, which may have some resources only": {
    settings: {
      registration: {
        initialAccessToken,
        trusted: false,
        allow: { scopes: "any", resources: [], grantTypes },
      },
    },
    async play(kit) {
      const { body } = await register(kit, {
        grant_types: grantTypes,
        token_endpoint_auth_method: "client_secret_basic",
      }, initialAccessToken);
      const headers = basic(body.client_id, body.client_secret);
      await token({}, headers)(kit);
      for (const { begin } of featureFixtures) {
        const fields = { redirect_uri: redirectUri, scope: "read", claims: "{}" };
        await begin?.(kit, { client_id: undefined, ...fields }, headers);
      }
    },
  },
};

export const registrationRuleRows: RuleRows = {
  file: "../../features/registration/rule_rows.ts",
  rows,
  successes,
};
