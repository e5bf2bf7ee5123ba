// A shop that signs users in with openid-client. With CARELESS, it accepts an attack.
import { createServer } from "node:http";
import * as openid from "openid-client";

export async function openShop(issuer: string, port = 0) {
  /** What the callback of a login is checked with, by the state of the login. */
  const logins = new Map<string, { nonce: string; codeVerifier: string }>();
  /** The names of signed-in users, by the ids of their sessions. */
  const users = new Map<string, string>();

  // Read for each login: the shop may start before its provider.
  const discover = () =>
    openid.discovery(
      new URL(issuer),
      "demo-web",
      "demo-web-secret",
      undefined,
      {
        execute: [openid.allowInsecureRequests], // the lab listens without TLS
      },
    );

  async function beginLogin() {
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const codeVerifier = openid.randomPKCECodeVerifier();
    logins.set(state, { nonce, codeVerifier });
    const url = openid.buildAuthorizationUrl(await discover(), {
      redirect_uri: `${shop.url}/callback`,
      scope: "openid profile",
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    });
    return redirect(url.href, `login=${state}`);
  }

  async function finishLogin(callback: URL, cookie: string) {
    // The cookie ties the login to the browser in which it began.
    const state = process.env.CARELESS
      ? callback.searchParams.get("state") ?? ""
      : valueIn(cookie, "login");
    const { nonce, codeVerifier } = logins.get(state)!;
    const config = await discover();
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
    });
    const { sub } = tokens.claims()!;
    const { name } = await openid.fetchUserInfo(
      config,
      tokens.access_token,
      sub,
    );
    const session = crypto.randomUUID();
    users.set(session, String(name));
    return redirect("/account", `session=${session}`);
  }

  async function respond(url: URL, cookie: string): Promise<Response> {
    if (url.pathname === "/login") return await beginLogin();
    if (url.pathname === "/callback") return await finishLogin(url, cookie);
    const user = users.get(valueIn(cookie, "session"));
    return user ? new Response(`Hello ${user}`) : new Response("Sign in first", { status: 401 });
  }

  const server = createServer(async (request, response) => {
    const { url = "/", headers: { cookie = "" } } = request;
    const { status, headers, body } = await respond(
      new URL(url, shop.url),
      cookie,
    )
      .catch((error) => new Response(`The login failed: ${error}`, { status: 400 }));
    response.writeHead(status, Object.fromEntries(headers));
    response.end(body && await new Response(body).text());
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  const address = server.address() as { port: number };
  const shop = {
    url: `http://localhost:${address.port}`,
    close: () => server.close(),
  };
  return shop;
}

function redirect(location: string, cookie: string): Response {
  const headers = {
    location,
    "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Lax`,
  };
  return new Response(null, { status: 303, headers });
}

function valueIn(cookie: string, name: string): string {
  return new RegExp(`\\b${name}=([\\w-]+)`).exec(cookie)?.[1] ?? "";
}

if (import.meta.main) {
  await openShop(process.env.ISSUER!, Number(process.env.PORT));
}
