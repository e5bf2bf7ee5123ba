import { userPassword } from "../../tests/support/every_flow.ts";
import { basic, type FlowKit, read, type ReadResponse } from "../../tests/support/flow_kit.ts";
import { present } from "../../tests/support/present.ts";
import { register, sendJson } from "../../tests/support/registration.ts";
import { opaque, redirectUri } from "./directory.ts";

/** An application, and a browser of its user. */
export interface TrialUser {
  /** Signs in, if the browser has no session, and returns a code. */
  signIn(): Promise<string>;
  /** Returns a code, if the server sends one at once. */
  authorize(): Promise<string | undefined>;
  redeem(code: string): Promise<ReadResponse>;
  refresh(token: string): Promise<ReadResponse>;
  revoke(token: string): Promise<ReadResponse>;
  /** Fetches the claims of the user. */
  userinfo(token: string): Promise<ReadResponse>;
  isActive(token: string): Promise<boolean>;
  register(): Promise<ReadResponse>;
  readRegistration(url: string, token: string): Promise<ReadResponse>;
  /** Returns the algorithms of the published keys with their ids. */
  keys(): Promise<string[]>;
  /** Sends requests for what does not exist. */
  makeMistakes(unknown: string): Promise<void>;
}

/** Creates a user. Access tokens are opaque, and thus rows. */
export function createTrialUser(kit: FlowKit, { id, secret } = opaque): TrialUser {
  const headers = basic(id, secret);
  const request = { client_id: id, redirect_uri: redirectUri };
  const browser = kit.browser();
  const post = async (path: string, token: string) =>
    await read(await kit.post(path, { token }, headers));
  const get = async (path: string, token = "") =>
    await read(await kit.get(path, { Authorization: `Bearer ${token}` }));
  return {
    async signIn() {
      const callback = await kit.authorize(request, { password: userPassword }, browser);
      return present(callback.get("code"));
    },
    async authorize() {
      const { url } = await browser.open(kit.authorizationUrl(request));
      return new URL(url).searchParams.get("code") ?? undefined;
    },
    redeem: (code) =>
      kit.redeem(code, { redirect_uri: redirectUri, client_id: undefined }, headers),
    refresh: (refresh_token) => kit.token({ grant_type: "refresh_token", refresh_token }, headers),
    revoke: (token) => post("/oauth2/revoke", token),
    userinfo: (token) => get("/oauth2/userinfo", token),
    isActive: async (token) => (await post("/oauth2/introspect", token)).body.active === true,
    register: () => register(kit),
    readRegistration: (url, token) => sendJson(kit, "GET", url, undefined, token),
    async keys() {
      const { keys } = (await get("/oauth2/jwks")).body;
      return keys.map(({ alg, kid }) => `${alg} ${kid}`);
    },
    async makeMistakes(unknown) {
      const { href } = new URL(kit.authorizationUrl({ client_id: unknown }));
      await get("/.well-known/openid-configuration");
      await get(`/no-such-path/${unknown}`);
      await get(href.slice(kit.issuer.length));
      await get("/oauth2/userinfo", unknown);
      await post("/oauth2/introspect", unknown);
    },
  };
}
