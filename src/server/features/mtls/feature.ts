import type { Feature } from "../../feature.ts";
import type { ConnectionProof } from "../../issuer/active_features.ts";
import type { EndpointUrls } from "../../issuer/describe_server.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { mtlsClients, mtlsOf, mtlsServer } from "./config.ts";
import { checkPeer } from "./peer_certificates.ts";

const { thumbprint, problemOf } = lazyModule(() => import("./connection_proof.ts"));

/** The endpoints that clients call themselves (RFC 8705, section 5). No browser needs an alias. */
const aliases = [
  "token_endpoint",
  "pushed_authorization_request_endpoint",
  "device_authorization_endpoint",
  "backchannel_authentication_endpoint",
  "introspection_endpoint",
  "revocation_endpoint",
  "userinfo_endpoint",
] as const;

const proof: ConnectionProof = { check: checkPeer, thumbprint, problemOf };

/** Clients authenticate with certificates, and tokens are bound to them (RFC 8705). */
export const mutualTls: Feature = {
  name: "mutual TLS",
  config: { server: mtlsServer, clients: mtlsClients },
  under: (settings) => mtlsOf(settings) ? { connectionProof: proof } : {},
  metadata(settings, _, endpoints) {
    const mtls = mtlsOf(settings);
    if (!mtls) return {};
    return {
      tls_client_certificate_bound_access_tokens: true,
      ...mtls.url !== undefined && { mtls_endpoint_aliases: aliasesOf(mtls.url, endpoints) },
    };
  },
};

function aliasesOf(url: string, endpoints: EndpointUrls): EndpointUrls {
  const { origin } = new URL(url);
  return Object.fromEntries(aliases.flatMap((name) => {
    const endpoint = endpoints[name];
    return endpoint === undefined ? [] : [[name, origin + new URL(endpoint).pathname]];
  }));
}
