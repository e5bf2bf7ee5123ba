import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

export async function openProvider(redirectUri: string) {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "web",
      client_secret: "web-secret",
      application_type: "native", // permits http
      redirect_uris: [redirectUri],
    }],
    claims: { openid: ["sub"], profile: ["name"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a secret"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, name: "Alice Adler" }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const handle = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return handle(request, response);
    const { params, prompt, session } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      const login = { accountId: "alice" };
      return await provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId,
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent });
  });
  const close = async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  };
  return { issuer, close };
}
