/** oidc-provider, with the clients of the bench: `node oidc_provider.mjs PORT ALG jwt|opaque`. */
import { generateKeyPairSync } from "node:crypto";
import process from "node:process";
import { Provider } from "oidc-provider";

const [port, alg, accessTokenFormat] = process.argv.slice(2);
const client_secret = "a-secret-of-32-characters-at-least";
const redirect_uris = ["https://app.test/callback"];
const scope = "openid profile read";
const web = {
  client_secret,
  redirect_uris,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  id_token_signed_response_alg: alg,
};
const types = {
  ES256: ["ec", { namedCurve: "P-256" }],
  EdDSA: ["ed25519", {}],
  RS256: ["rsa", { modulusLength: 2048 }],
};
const { privateKey } = generateKeyPairSync(...types[alg]);

/** Rows in memory. Its own store in memory drops all but the latest thousand. */
class MapAdapter {
  static #all = new Map();
  #rows;
  constructor(model) {
    this.#rows = MapAdapter.#all.get(model) ?? new Map();
    MapAdapter.#all.set(model, this.#rows);
  }
  async upsert(id, payload) {
    this.#rows.set(id, payload);
  }
  async find(id) {
    return this.#rows.get(id);
  }
  async findByUid(uid) {
    return this.#rows.values().find((payload) => payload.uid === uid);
  }
  async consume(id) {
    this.#rows.get(id).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    this.#rows.delete(id);
  }
  async revokeByGrantId(grantId) {
    for (const [id, payload] of this.#rows) if (payload.grantId === grantId) this.#rows.delete(id);
  }
}

const provider = new Provider(`http://localhost:${port}`, {
  adapter: MapAdapter,
  clients: [
    { client_id: "app", ...web },
    { client_id: "opaque", ...web },
    {
      client_id: "service",
      client_secret,
      redirect_uris: [],
      grant_types: ["client_credentials"],
      response_types: [],
      id_token_signed_response_alg: alg,
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg, use: "sig" }] },
  scopes: scope.split(" "),
  claims: { profile: ["name"] },
  cookies: { keys: ["a-key-that-signs-cookies"] },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, name: "Alice" }) }),
  issueRefreshToken: () => true,
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: accessTokenFormat === "jwt",
      defaultResource: () => "urn:api",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope, accessTokenFormat, jwt: { sign: { alg } } }),
    },
  },
});

/** Signs the user in and allows everything, without a page. */
provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith("/interaction/")) return await next();
  const details = await provider.interactionDetails(ctx.req, ctx.res);
  const { prompt, params, session } = details;
  if (prompt.name === "login") return await finish(ctx, { login: { accountId: "alice" } });
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(scope);
  grant.addResourceScope("urn:api", scope);
  await finish(ctx, { consent: { grantId: await grant.save() } });
});

async function finish(ctx, result) {
  ctx.respond = false;
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
}

provider.listen(Number(port), "127.0.0.1", () => console.log(`bench ready http://localhost:${port}`));
