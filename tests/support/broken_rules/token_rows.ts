import { type Fields, web } from "../kit.ts";
import { redeeming, refreshing, token } from "../refusals.ts";
import { as, type BrokenRules, ofUnknownClient, proofIn } from "./rule_lab.ts";

const code = { grant_type: "authorization_code", redirect_uri: "https://hallpass.test/authorized" };

/** A request of a client that may leave out PKCE. */
const withoutPkce: Fields = {
  client_id: "without-pkce",
  scope: "read",
  code_challenge: undefined,
  code_challenge_method: undefined,
};

/** The rules of every token request. */
export const tokenRows: BrokenRules = {
  "grant_type.present": token({ grant_type: undefined }),
  "grant_type.supported": token({ grant_type: "password" }),
  "grant_type.allowed": token({}),
  "dpop.required": token({ ...code, client_id: "bound" }),
};

/** The rules of the authorization code grant, in their order. */
export const codeRows: BrokenRules = {
  "code.present": token(code),
  "code.known": token({ ...code, code: "a" }),
  "code.fresh": async (kit) => {
    const issued = await kit.code();
    kit.clock.advance(6 * 60);
    await kit.redeem(issued);
  },
  "code.active": async (kit) => {
    const issued = await kit.code();
    kit.lab.users.remove("alice");
    await kit.redeem(issued);
  },
  "code.client": redeeming({ client_id: "other-spa" }),
  "code.redirect_uri_present": redeeming({ redirect_uri: undefined }),
  "code.redirect_uri": redeeming({ redirect_uri: "https://other.test/" }),
  "code.key": redeeming({}, {}, { dpop_jkt: "a".repeat(43) }),
  "code.challenge": async (kit) => {
    const issued = await kit.code(withoutPkce);
    kit.lab.clients.put({ ...kit.lab.clients.get("without-pkce"), pkce: "required" });
    await kit.redeem(issued, { client_id: undefined }, as("without-pkce"));
  },
  "verifier.has_challenge": redeeming({ client_id: undefined }, as("without-pkce"), withoutPkce),
  "verifier.present": redeeming({ code_verifier: undefined }),
  "verifier.form": redeeming({ code_verifier: "a" }),
  "verifier.matches": redeeming({ code_verifier: "w".repeat(43) }),
  "resource.granted": redeeming({ resource: "https://other.example" }),
  "details.granted": redeeming({ authorization_details: '[{"type":"file_access"}]' }),
  "code.unused": async (kit) => {
    const issued = await kit.code();
    await kit.redeem(issued);
    await kit.redeem(issued);
  },
};

/** The rules of the refresh token grant, in their order. */
export const refreshRows: BrokenRules = {
  "refresh_token.present": token({ grant_type: "refresh_token" }),
  "refresh_token.known": token({ grant_type: "refresh_token", refresh_token: "a" }),
  "refresh_token.fresh": async (kit) => {
    const { refresh_token } = await kit.tokens();
    kit.clock.advance(31 * 24 * 60 * 60);
    await kit.refresh(refresh_token);
  },
  "refresh_token.active": async (kit) => {
    const { refresh_token } = await kit.tokens();
    kit.lab.users.remove("alice");
    await kit.refresh(refresh_token);
  },
  "refresh_token.client": refreshing({ client_id: "other-spa" }),
  "refresh_token.key": async (kit) => {
    const DPoP = await proofIn(kit);
    const { body } = await kit.redeem(await kit.code(), {}, { DPoP });
    await kit.refresh(body.refresh_token);
  },
  "scope.granted": refreshing({ scope: "everything" }),
  "refresh_token.scope_permitted": {
    settings: {
      policies: { scope: (_user, _client, scope, occasion) => occasion === "refresh" ? [] : scope },
    },
    play: refreshing({}),
  },
  "refresh_token.repeat": {
    settings: { refreshReuseGrace: "10s" },
    play: async (kit) => {
      const { body } = await kit.redeem(await kit.code({ client_id: "demo-web" }), {}, web);
      const next = (await kit.refresh(body.refresh_token, {}, web)).body.refresh_token;
      await kit.refresh(next, {}, web);
      await kit.refresh(body.refresh_token, {}, web);
    },
  },
  "refresh_token.unused": async (kit) => {
    const { refresh_token } = await kit.tokens();
    await kit.refresh(refresh_token);
    await kit.refresh(refresh_token);
  },
};

/** Token requests that succeed. */
export const tokenSuccesses: BrokenRules = {
  "code": redeeming({ resource: "https://api.example" }, {}, { resource: "https://api.example" }),
  "refresh": refreshing({ scope: "openid" }),
  "code with a key": async (kit) =>
    await kit.redeem(await kit.code(), {}, { DPoP: await proofIn(kit) }),
};

/** The rule of the client credentials grant. */
export const clientCredentialsRows: BrokenRules = {
  ...ofUnknownClient("client_credentials.confidential", token({ client_id: "any" })),
};
