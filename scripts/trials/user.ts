import { userPassword } from "../../tests/support/every_flow.ts";
import { basic, type FlowKit, read } from "../../tests/support/flow_kit.ts";
import { present } from "../../tests/support/present.ts";
import { register, sendJson } from "../../tests/support/registration.ts";
import { opaque, redirectUri } from "./directory.ts";

/** An application, and a browser of its user. */
export type TrialUser = ReturnType<typeof createTrialUser>;

/** Creates a user. Access tokens are opaque, and thus rows. */
export function createTrialUser(kit: FlowKit, { id, secret } = opaque) {
  const headers = basic(id, secret);
  const request = { client_id: id, redirect_uri: redirectUri };
  const browser = kit.browser();
  const post = async (path: string, token: string) =>
    await read(await kit.post(path, { token }, headers));
  const get = async (path: string, token = "") =>
    await read(await kit.get(path, { Authorization: `Bearer ${token}` }));
  return {
    /** Signs in, if the browser has no session, and returns a code. */
    async signIn() {
      const callback = await kit.authorize(request, { password: userPassword }, browser);
      return present(callback.get("code"));
    },
    /** Returns a code, if the server sends one at once. */
    async authorize() {
      const { url } = await browser.open(kit.authorizationUrl(request));
      return new URL(url).searchParams.get("code") ?? undefined;
    },
    redeem: (code: string) =>
      kit.redeem(code, { redirect_uri: redirectUri, client_id: undefined }, headers),
    refresh: (refresh_token: string) =>
      kit.token({ grant_type: "refresh_token", refresh_token }, headers),
    revoke: (token: string) => post("/oauth2/revoke", token),
    userinfo: (token: string) => get("/oauth2/userinfo", token),
    isActive: async (token: string) =>
      (await post("/oauth2/introspect", token)).body.active === true,
    register: () => register(kit),
    /** Reads a registration by its URL and access token, with a space between them. */
    readRegistration(client: string) {
      const [url = "", token] = client.split(" ");
      return sendJson(kit, "GET", url, undefined, token);
    },
    /** Returns the algorithms of the published keys with their ids. */
    async keys(): Promise<string[]> {
      const { keys } = (await get("/oauth2/jwks")).body;
      return keys.map(({ alg, kid }) => `${alg} ${kid}`);
    },
    /** Sends requests for what does not exist. */
    async makeMistakes(unknown: string) {
      const { href } = new URL(kit.authorizationUrl({ client_id: unknown }));
      await get("/.well-known/openid-configuration");
      await get(`/no-such-path/${unknown}`);
      await get(href.slice(kit.issuer.length));
      await get("/oauth2/userinfo", unknown);
      await post("/oauth2/introspect", unknown);
    },
  };
}
