import { agentHeaders, cibaGrant } from "../../../support/ciba.ts";
import { makeClientKey } from "../../../support/client_key.ts";
import { deviceGrant } from "../../../support/device.ts";
import { basic, challenge, service, verifier, web } from "../../../support/kit.ts";
import type { Pair } from "../generators/forms.ts";

/** A request before anything is wrong with it. A value such as "$code" is the last code. */
export interface PlannedRequest {
  method: string;
  /** A path, or "$form" for the action of the form on the last page. */
  path: string;
  pairs?: Pair[];
  json?: object;
  headers?: Record<string, string>;
  /** How the id of a form on the last page begins, whose hidden fields it has. */
  form?: string;
  /** Whether a browser that has no cookies sends it. */
  inNewBrowser?: boolean;
}

/** A user of the store, who can change the password. */
export const storedUser = { name: "dora", password: "the first password" };

const redirectUri = "https://hallpass.test/authorized";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const bearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

const { publicJwk } = await makeClientKey();

const authorization: Pair[] = [
  ["response_type", "code"],
  ["client_id", "demo-spa"],
  ["redirect_uri", redirectUri],
  ["scope", "openid profile read offline_access"],
  ["state", "a-state"],
  ["nonce", "a-nonce"],
  ["prompt", "consent"],
  ["code_challenge", challenge],
  ["code_challenge_method", "S256"],
];

const redemption: Pair[] = [
  ["grant_type", "authorization_code"],
  ["code", "$code"],
  ["redirect_uri", redirectUri],
  ["code_verifier", verifier],
];

const metadata = {
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  client_name: "App",
  jwks: { keys: [publicJwk] },
};

const registrationToken = { Authorization: "Bearer $registration_access_token" };
const bearerToken = { Authorization: "Bearer $access_token" };

function replaced(pairs: readonly Pair[], name: string, value: string): Pair[] {
  return pairs.map((pair) => (pair[0] === name ? [name, value] : pair));
}

/** Sends a form of the last page. */
function send(form: string, path: string, pairs: Pair[] = []): PlannedRequest {
  return { method: "POST", path, pairs, form };
}

function get(path: string, pairs: Pair[] = [], headers = {}): PlannedRequest {
  return { method: "GET", path, pairs, headers };
}

function post(path: string, pairs: Pair[], headers = {}): PlannedRequest {
  return { method: "POST", path, pairs, headers };
}

/** The steps of all flows, each as it is in order. */
export const requests = {
  authorize: get("/oauth2/authorize", authorization),
  authorizeByPost: post("/oauth2/authorize", authorization),
  authorizeRegistered: get("/oauth2/authorize", replaced(authorization, "client_id", "$client_id")),
  authorizePushed: get("/oauth2/authorize", [
    ["client_id", "demo-web"],
    ["request_uri", "$request_uri"],
  ]),
  authorizeByFormPost: get("/oauth2/authorize", [...authorization, ["response_mode", "form_post"]]),
  authorizeBySelection: get(
    "/oauth2/authorize",
    replaced(authorization, "prompt", "select_account"),
  ),
  authorizeWithoutPrompt: get("/oauth2/authorize", replaced(authorization, "prompt", "none")),
  submit: post("$form", [
    ["username", "alice"],
    ["password", "alice"],
    ["decision", "allow"],
    ["account", "this"],
    ["user_code", "$user_code"],
  ]),
  redeem: post("/oauth2/token", [...redemption, ["client_id", "demo-spa"]]),
  redeemPushed: post("/oauth2/token", redemption, web),
  redeemRegistered: post("/oauth2/token", [...redemption, ["client_id", "$client_id"]]),
  refresh: post("/oauth2/token", [
    ["grant_type", "refresh_token"],
    ["refresh_token", "$refresh_token"],
    ["client_id", "demo-spa"],
  ]),
  service: post(
    "/oauth2/token",
    [["grant_type", "client_credentials"], ["scope", "read"]],
    service,
  ),
  exchange: post("/oauth2/token", [
    ["grant_type", exchangeGrant],
    ["subject_token", "$access_token"],
    ["subject_token_type", accessTokenType],
    ["audience", "https://api.example"],
  ], service),
  assert: post("/oauth2/token", [["grant_type", bearerGrant], ["assertion", "$id_token"]], service),
  push: post("/oauth2/par", replaced(authorization, "client_id", "demo-web"), web),
  introspect: post("/oauth2/introspect", [["token", "$access_token"]], service),
  revoke: post("/oauth2/revoke", [["token", "$refresh_token"], ["client_id", "demo-spa"]]),
  userinfo: get("/oauth2/userinfo", [], bearerToken),
  userinfoByPost: post("/oauth2/userinfo", [["access_token", "$access_token"]]),
  authorizeDevice: post("/oauth2/device_authorization", [
    ["client_id", "demo-cli"],
    ["scope", "openid read"],
  ]),
  typeUserCode: get("/device", [["user_code", "$user_code"]]),
  poll: post("/oauth2/token", [
    ["grant_type", deviceGrant],
    ["device_code", "$device_code"],
    ["client_id", "demo-cli"],
  ]),
  askUser: post("/oauth2/backchannel_authentication", [
    ["scope", "openid read"],
    ["login_hint", storedUser.name],
    ["binding_message", "W4SCT"],
  ], agentHeaders),
  reviewRequest: send("request-", "/account/requests", [["request", "$request"]]),
  pollForUser: post("/oauth2/token", [
    ["grant_type", cibaGrant],
    ["auth_req_id", "$auth_req_id"],
  ], agentHeaders),
  register: { method: "POST", path: "/oauth2/register", json: metadata },
  showRegistration: get("/oauth2/register/$client_id", [], registrationToken),
  changeRegistration: {
    method: "PUT",
    path: "/oauth2/register/$client_id",
    json: { ...metadata, client_id: "$client_id", client_name: "Changed" },
    headers: registrationToken,
  },
  endRegistration: {
    method: "DELETE",
    path: "/oauth2/register/$client_id",
    headers: registrationToken,
  },
  logout: get("/oauth2/logout", [
    ["id_token_hint", "$id_token"],
    ["post_logout_redirect_uri", "https://hallpass.test/"],
    ["state", "a-state"],
  ]),
  logoutByPost: post("/oauth2/logout", [["client_id", "demo-spa"]]),
  account: get("/account"),
  accountInNewBrowser: { ...get("/account"), inNewBrowser: true },
  signInToAccount: send("sign-in", "/account/sign-in", [
    ["username", storedUser.name],
    ["password", storedUser.password],
  ]),
  removeAccess: send("remove-", "/account/remove", [["client_id", "demo-spa"]]),
  endSession: send("end-session-", "/account/sessions"),
  endOtherSessions: send("end-other-sessions", "/account/sessions"),
  showPasswordForm: get("/account/password"),
  changePassword: send("change-password", "/account/password", [
    ["current_password", storedUser.password],
    ["new_password", "another password"],
    ["repeated_password", "another password"],
  ]),
  openInvitation: get("/invite", [["user", storedUser.name], ["link", "x"]]),
  openReset: get("/reset", [["user", storedUser.name], ["link", "x"]]),
  chooseFirstPassword: post("/invite", [["new_password", "another password"]]),
  chooseNextPassword: post("/reset", [["new_password", "another password"]]),
  signOut: send("sign-out", "/sign-out"),
  callback: get("/authorized", [["code", "$code"], ["state", "a-state"]]),
  startAuthorization: get("/authorized/start", [["client_id", "demo-spa"]]),
  wrongSecret: post(
    "/oauth2/token",
    [["grant_type", "client_credentials"]],
    basic("demo-web", "x"),
  ),
  metadata: get("/.well-known/openid-configuration"),
  oauthMetadata: get("/.well-known/oauth-authorization-server"),
  keys: get("/oauth2/jwks"),
  home: get("/"),
  health: get("/health"),
  icon: get("/favicon.ico"),
  style: get("/static/style.css"),
} satisfies Record<string, PlannedRequest>;

/** The name of a step. */
export type StepName = keyof typeof requests;
