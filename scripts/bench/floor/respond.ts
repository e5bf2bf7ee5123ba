import { hash, randomBytes } from "node:crypto";
import { app, opaque, redirectUri, service } from "../../trials/directory.ts";
import { createSigner } from "./sign.ts";

/** A request, as every runtime can hand it over. */
export interface FloorRequest {
  /** The path and the query. */
  target: string;
  header(name: "authorization" | "cookie"): string | null | undefined;
  body: string;
}

/** A response, as plain data. */
export interface FloorResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Responder = (request: FloorRequest) => FloorResponse | Promise<FloorResponse>;

interface Grant {
  clientId: string;
  challenge: string;
}

const lifetime = 3600;
const user = { sub: "alice", name: "Alice" };
const jsonHeaders = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "Access-Control-Allow-Origin": "*",
};

/**
 * Creates an authorization server that does what no server can avoid, and checks next to nothing:
 * it parses, looks up, hashes what must be stored hashed, signs, and writes JSON.
 */
export async function createResponder(
  { alg, issuer, document, keys }: { alg: string; issuer: string; document: string; keys: string },
): Promise<Responder> {
  const sign = await createSigner(alg);
  const secrets = new Map(
    [app, opaque, service].map(({ id, secret }) => [id, sha256(secret)]),
  );
  const sessions = new Map<string, string>();
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const accessTokens = new Map<string, string>();

  function authorize({ target, header }: FloorRequest): FloorResponse {
    const query = new URLSearchParams(target.slice(target.indexOf("?") + 1));
    const clientId = query.get("client_id") ?? "";
    if (!secrets.has(clientId) || query.get("redirect_uri") !== redirectUri) return refused();
    const session = header("cookie")?.slice("session=".length) ?? newSession();
    if (!sessions.has(sha256(session))) return refused();
    const code = secret();
    codes.set(sha256(code), { clientId, challenge: query.get("code_challenge") ?? "" });
    const location = `${redirectUri}?code=${code}&state=${query.get("state")}&iss=${issuer}`;
    const headers = { Location: location, "Set-Cookie": `session=${session}` };
    return { status: 303, headers, body: "" };
  }

  function newSession(): string {
    const session = secret();
    sessions.set(sha256(session), user.sub);
    return session;
  }

  async function token(request: FloorRequest): Promise<FloorResponse> {
    const clientId = authenticated(request);
    const form = new URLSearchParams(request.body);
    switch (form.get("grant_type")) {
      case "client_credentials":
        return json({ access_token: await accessToken(clientId), expires_in: lifetime });
      case "refresh_token":
        return await issue(take(refreshTokens, form.get("refresh_token")));
      default: {
        const grant = take(codes, form.get("code"));
        if (sha256(form.get("code_verifier") ?? "") !== grant.challenge) return refused();
        return await issue(grant);
      }
    }
  }

  function authenticated({ header }: FloorRequest): string {
    const [id = "", secret = ""] = atob(header("authorization")?.slice(6) ?? "").split(":");
    if (secrets.get(id) !== sha256(secret)) throw new Error("The secret is wrong.");
    return id;
  }

  async function issue(grant: Grant): Promise<FloorResponse> {
    const refreshToken = secret();
    refreshTokens.set(sha256(refreshToken), grant);
    const access = await accessToken(grant.clientId);
    const members = { access_token: access, expires_in: lifetime, refresh_token: refreshToken };
    if (grant.clientId === opaque.id) return json(members);
    const claims = { ...claimsFor(grant.clientId), at_hash: sha256(access).slice(0, 22) };
    return json({ ...members, id_token: await sign(JSON.stringify(claims)) });
  }

  async function accessToken(clientId: string): Promise<string> {
    const claims = JSON.stringify(claimsFor(clientId));
    if (clientId !== opaque.id) {
      const token = await sign(claims);
      if (accessTokens.size < 100) accessTokens.set(token, claims);
      return token;
    }
    const token = secret();
    accessTokens.set(sha256(token), claims);
    return token;
  }

  function claimsFor(clientId: string): object {
    const iat = Math.floor(Date.now() / 1000);
    const jti = randomBytes(16).toString("base64url");
    return {
      iss: issuer,
      ...user,
      aud: issuer,
      client_id: clientId,
      jti,
      iat,
      exp: iat + lifetime,
    };
  }

  function introspect(request: FloorRequest): FloorResponse {
    authenticated(request);
    const token = new URLSearchParams(request.body).get("token") ?? "";
    const claims = accessTokens.get(token.includes(".") ? token : sha256(token)) ?? "{}";
    return json({ active: true, token_type: "Bearer", ...JSON.parse(claims) });
  }

  function userinfo({ header }: FloorRequest): FloorResponse {
    const token = header("authorization")?.slice("Bearer ".length) ?? "";
    return accessTokens.has(token) ? json(user) : refused();
  }

  return (request) => {
    const [path] = request.target.split("?", 1);
    if (path === "/oauth2/authorize") return authorize(request);
    if (path === "/oauth2/token") return token(request);
    if (path === "/oauth2/introspect") return introspect(request);
    if (path === "/oauth2/userinfo") return userinfo(request);
    return { status: 200, headers: jsonHeaders, body: path === "/oauth2/jwks" ? keys : document };
  };
}

/** Returns what a secret leads to, once. */
function take(grants: Map<string, Grant>, secret: string | null): Grant {
  const id = sha256(secret ?? "");
  const grant = grants.get(id);
  if (!grant || !grants.delete(id)) throw new Error("The credential is unknown.");
  return grant;
}

function json(value: object): FloorResponse {
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(value) };
}

function refused(): FloorResponse {
  return { status: 400, headers: jsonHeaders, body: "{}" };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}
