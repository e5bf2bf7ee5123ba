// The application under test: an API that takes tokens which are bound to a certificate. It contains
// no test code.
import { protectedResource } from "hallpass/resource";
import { serve, type ServedRequest } from "hallpass/serve";

/** Serves an API that greets the subject of an access token. */
export async function serveApi(issuer: string, resource: string, cert: string, key: string) {
  const api = protectedResource({
    resource,
    authorizationServers: [issuer],
    certificateOf: (request: ServedRequest) => request.certificates?.[0],
  });
  const fetch = async (request: ServedRequest): Promise<Response> => {
    const access = await api.require(request);
    return access instanceof Response ? access : Response.json({ hello: access.subject });
  };
  return await serve({ fetch }, { port: 0, cert, key, requestCert: true });
}
