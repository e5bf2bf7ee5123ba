import { answerPages } from "../browser.ts";
import { challenge } from "../flow_kit.ts";
import { ask, type Play } from "../refusals.ts";
import { api, type BrokenRules, type RuleLab, signed } from "./rule_lab.ts";

const thumbprint = "a".repeat(43);
const details = (...list: object[]) => JSON.stringify(list);
const essential = (...values: string[]) =>
  JSON.stringify({ id_token: { acr: { essential: true, values } } });

/** Sends a request object of demo-web. */
function askSigned(claims: object, client_id = "demo-web"): Play<RuleLab> {
  return async (kit) => {
    const own = { iss: client_id, client_id, aud: kit.issuer };
    const { searchParams } = new URL(kit.authorizationUrl({ client_id }));
    const request = await signed({ ...Object.fromEntries(searchParams), ...own, ...claims });
    return await ask({ client_id, request })(kit);
  };
}

/** The rules of the authorization request, in their order. */
export const authorizationRows: BrokenRules = {
  "client_id.present": ask({ client_id: undefined }),
  "client.known": ask({ client_id: "who" }),
  "request_uri.usable": ask({ request_uri: "urn:ietf:params:oauth:request_uri:a" }),
  "request.one_source": ask({ client_id: "demo-web", request: "a", request_uri: "https://a" }),
  "request.object": askSigned({ aud: "https://other.test" }),
  "redirect_uri.present": ask({ redirect_uri: undefined }),
  "redirect_uri.registered": ask({ redirect_uri: "https://evil.test/" }),
  "state.text": ask({ state: "\n" }),
  "request.pushed": ask({ client_id: "pushing" }),
  "request.signed": ask({ client_id: "signing" }),
  "request.absent": ask({ request: "a" }),
  "request_uri.absent": ask({ request_uri: "https://a" }),
  "registration.absent": ask({ registration: "{}" }),
  "response_type.present": ask({ response_type: undefined }),
  "response_type.code": ask({ response_type: "token" }),
  "response_type.allowed": ask({ client_id: "no-code" }),
  "response_mode.allowed": ask({ response_mode: "web_message" }),
  "prompt.known": ask({ prompt: "maybe" }),
  "prompt.none_alone": ask({ prompt: "none login" }),
  "details.list": ask({ authorization_details: "{}" }),
  "details.valid": ask({ authorization_details: details({ type: "who" }) }),
  "details.allowed": ask({
    client_id: "no-details",
    authorization_details: details({ type: "file_access", actions: ["read"], path: "/" }),
  }),
  "scope.form": ask({ scope: "a  b" }),
  "scope.present": ask({ client_id: "no-default", scope: undefined }),
  "scope.allowed": ask({ scope: "openid everything" }),
  "scope.offline_access": ask({ scope: "offline_access" }),
  "resource.form": ask({ resource: "api#a" }),
  "resource.known": {
    settings: { resources: [api] },
    play: ask({ resource: "https://unknown.test" }),
  },
  "resource.no_client": ask({ resource: "https://client.example/app" }),
  "resource.audience_form": {
    settings: { audienceParameter: true },
    play: ask({ audience: "https://a#b" }),
  },
  "resource.scope": {
    settings: { resources: [{ uri: api, scopes: ["read"] }] },
    play: ask({ resource: api, scope: "write" }),
  },
  "claims.form": ask({ claims: "[]" }),
  "challenge.with_method": ask({ code_challenge: undefined }),
  "challenge.present": ask({ code_challenge: undefined, code_challenge_method: undefined }),
  "challenge.or_nonce": ask({
    client_id: "demo-web",
    code_challenge: undefined,
    code_challenge_method: undefined,
    nonce: undefined,
  }),
  "challenge.method_present": ask({ code_challenge_method: undefined }),
  "challenge.method": ask({ code_challenge_method: "plain" }),
  "challenge.form": ask({ code_challenge: challenge.slice(1) }),
  "max_age.number": ask({ max_age: "-1" }),
  "dpop_jkt.form": ask({ dpop_jkt: "a" }),
  "id_token_hint.known": ask({ id_token_hint: "a" }),
  "acr.attainable": ask({ claims: essential("gold") }),
  "prompt.none_sign_in": ask({ prompt: "none" }),
};

/** The rules of what follows the authorization request in the browser. */
export const interactionRows: BrokenRules = {
  "interaction.browser": (kit) => kit.get("/oauth2/interaction/a"),
  "interaction.unfinished": async (kit) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl());
    await answerPages(browser, page);
    await browser.open(page.url);
  },
  "request.still_allowed": async (kit) => {
    const page = await signedInPage(kit, {});
    kit.lab.clients.put({
      ...kit.lab.clients.get("demo-spa"),
      defaultScope: [],
      scopes: ["write"],
    });
    await page.browser.decide(page.page);
  },
  "user.requested": async (kit) => {
    const { id_token } = await kit.tokens({ scope: "openid" });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ id_token_hint: id_token }));
    await answerPages(browser, page, { user: "bob" });
  },
  "user.may_use": async (kit) => {
    const browser = kit.browser();
    await answerPages(
      browser,
      await browser.open(kit.authorizationUrl({ client_id: "for-board" })),
    );
  },
  "acr.reached": {
    settings: { policies: { authenticate: (_, { find }) => find("alice") } },
    play: (kit) => kit.authorize({ claims: essential("urn:hallpass:two-factor") }),
  },
  "prompt.none_consent": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl({ scope: "openid" })));
    await browser.open(kit.authorizationUrl({ scope: "openid write", prompt: "none" }));
  },
  "scope.permitted": {
    settings: { policies: { scope: () => [] } },
    play: (kit) => kit.authorize(),
  },
  "user.allows": (kit) => kit.authorize({}, { decision: "deny" }),
};

/** Signs alice in, and returns the page that asks for her consent. */
async function signedInPage(kit: RuleLab, changes: Record<string, string>) {
  const browser = kit.browser();
  const first = await browser.open(kit.authorizationUrl(changes));
  const fields = { username: "alice", password: "alice" };
  return { browser, page: await browser.submit(first, "sign-in", fields) };
}

/** Authorization requests, and other visits of a browser, that succeed. */
export const authorizationSuccesses: BrokenRules = {
  "select account": async (kit) => {
    const browser = kit.browser();
    await answerPages(browser, await browser.open(kit.authorizationUrl()));
    await browser.authorize(kit.authorizationUrl({ prompt: "select_account" }));
  },
  "plain": (kit) =>
    kit.authorize({
      ...{
        prompt: "consent",
        max_age: "600",
        dpop_jkt: thumbprint,
        resource: "https://api.example",
      },
      ...{ scope: "openid read offline_access", claims: '{"id_token":{"email":null}}' },
      authorization_details: details({ type: "file_access", actions: ["read"], path: "/" }),
    }),
  "by a signed request": askSigned({}),
};
