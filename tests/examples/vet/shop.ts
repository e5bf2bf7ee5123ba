// A shop that signs users in with openid-client, and "tolerates" what providers leave out.
import { createServer } from "node:http";
import * as openid from "openid-client";

/** What the shop should refuse and does not. Each of these is a weakness. */
const tolerated = (process.env.TOLERATED ?? "issuer,state,expired").split(",");

interface Session {
  state: string;
  nonce: string;
  codeVerifier: string;
  user?: string;
}

export async function openShop(issuer: string) {
  const sessions = new Map<string, Session>();
  const client = { [openid.clockTolerance]: tolerated.includes("expired") ? 7200 : 0 };
  const config = await openid.discovery(new URL(issuer), "demo-cli", client, openid.None(), {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: (url, options) => fetchAs(issuer, url, options),
  });
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", shop.url);
    const id = /session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const redirect = (location: string, cookie: string) =>
      response.writeHead(303, { location, "set-cookie": cookie }).end();
    try {
      if (url.pathname === "/login") {
        const { location, session } = await beginLogin(config, shop.url);
        const newId = crypto.randomUUID();
        sessions.set(newId, session);
        redirect(location, `session=${newId}`);
      } else if (url.pathname === "/callback") {
        const session = sessions.get(id)!;
        session.user = await finishLogin(config, url, session);
        redirect("/", `session=${id}`);
      } else {
        const { user } = sessions.get(id) ?? {};
        response.writeHead(user ? 200 : 401).end(user ? `Hello ${user}` : "Sign in first");
      }
    } catch (error) {
      response.writeHead(400).end(`The login failed: ${error}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const shop = { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  return shop;
}

async function beginLogin(config: openid.Configuration, shop: string) {
  const session: Session = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    codeVerifier: openid.randomPKCECodeVerifier(),
  };
  const { href: location } = openid.buildAuthorizationUrl(config, {
    redirect_uri: `${shop}/callback`,
    scope: "openid profile",
    state: session.state,
    nonce: session.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(session.codeVerifier),
    code_challenge_method: "S256",
  });
  return { location, session };
}

async function finishLogin(config: openid.Configuration, callback: URL, session: Session) {
  const { searchParams } = callback;
  if (tolerated.includes("state") && !searchParams.has("state")) {
    searchParams.set("state", session.state);
  }
  const tokens = await openid.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: session.codeVerifier,
    expectedState: session.state,
    expectedNonce: session.nonce,
  });
  const { name } = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub);
  return name;
}

async function fetchAs(issuer: string, url: string, options: openid.CustomFetchOptions) {
  const response = await fetch(url, options as RequestInit);
  if (!tolerated.includes("issuer") || !url.includes("/.well-known/")) return response;
  const metadata = await response.json();
  return Response.json({ ...metadata, issuer }, { status: response.status });
}
