import { userPassword } from "../../tests/support/every_flow.ts";
import {
  authorizeIn,
  bindClient,
  type FlowKit,
  read,
  testClient,
} from "../../tests/support/flow_kit.ts";
import { register, sendJson } from "../../tests/support/registration.ts";
import { opaque, redirectUri } from "./directory.ts";

/** An application, and a browser of its user. */
export type TrialUser = ReturnType<typeof createTrialUser>;

/** Creates a user. Access tokens are opaque, and thus rows. */
export function createTrialUser(kit: FlowKit, { id, secret } = opaque) {
  const browser = kit.browser();
  const options = { client_id: id, client_secret: secret, redirect_uri: redirectUri };
  const { authorizationUrl, code, introspect, ...client } = bindClient(
    testClient({ ...options, scope: "openid profile read" }),
    { ...kit.server, authorize: (url, actions) => authorizeIn(browser, url, actions) },
  );
  const get = async (path: string) => await read(await kit.get(path));
  const isActive = async (token: string) => (await introspect(token)).body.active === true;
  return {
    ...client,
    isActive,
    /** Signs in, if the browser has no session, and returns a code. */
    signIn: () => code({}, { password: userPassword }),
    /** Returns a code, if the server sends one at once. */
    async codeAtOnce() {
      const { url } = await browser.open(authorizationUrl());
      return new URL(url).searchParams.get("code") ?? undefined;
    },
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
      await get("/.well-known/openid-configuration");
      await get(`/no-such-path/${unknown}`);
      await browser.open(authorizationUrl({ client_id: unknown }));
      await client.userinfo(unknown);
      await isActive(unknown);
    },
  };
}
