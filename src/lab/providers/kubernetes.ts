import type { ProviderPreset } from "./preset.ts";
import { adjustableWire, fact, rs256, uncertainWire, wire } from "./preset_facts.ts";

const source = "https://github.com/kubernetes/kubernetes/blob/master/pkg";
const read = "read on 2026-11-22";

/** The metadata, as the source of the API server makes it. */
const metadata = {
  issuer: "{issuer}",
  jwks_uri: "{base}/openid/v1/jwks",
  response_types_supported: ["id_token"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
};

/** An error, as the API server makes it. */
const failure = (code: number, reason: string, message: string) => ({
  status: code,
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    code,
  },
});
const noMethod = "the server does not allow this method on the requested resource";
const invalid = 'TokenRequest.authentication.k8s.io "" is invalid: {problem}';
const bound = "body.spec.boundObjectRef";

/** The issuer of tokens of service accounts. */
export const kubernetes: ProviderPreset = {
  name: "kubernetes",
  title: "Kubernetes (tokens of service accounts)",
  sources: {
    metadata: [`${source}/serviceaccount/openidmetadata.go`, "265a018"],
    claims: [`${source}/serviceaccount/claims.go`, "031075d"],
    token: [`${source}/registry/core/serviceaccount/storage/token.go`, read],
    validation: [`${source}/apis/authentication/validation/validation.go`, "0411cc7"],
    kubelet: [`${source}/kubelet/token/token_manager.go`, "064c7f8"],
  },
  facts: {
    metadata: fact("metadata", "OpenID Connect Discovery, with keys at /openid/v1.", {
      ...rs256,
      dialect: {
        ownMetadata: false,
        aliases: [{ path: "/openid/v1/jwks", to: "jwks" }],
        documents: [{ path: "/.well-known/openid-configuration", body: metadata }],
      },
    }),
    token_request: wire("token", "A POST with a TokenRequest returns it complete.", {
      workloadTokens: {
        path: "/api/v1/namespaces/:namespace/serviceaccounts/:name/token",
        method: "POST",
        status: 201,
        request: {
          audience: "spec.audiences",
          lifetime: "spec.expirationSeconds",
          values: { kind: ["TokenRequest"], "spec.boundObjectRef.kind": ["Pod"] },
        },
        body: {
          kind: "TokenRequest",
          apiVersion: "authentication.k8s.io/v1",
          metadata: {
            name: "{path.name}",
            namespace: "{path.namespace}",
            creationTimestamp: "{issued}",
          },
          spec: {
            audiences: "{audience}",
            expirationSeconds: "{lifetime}",
            boundObjectRef: `{${bound}|null}`,
          },
          status: { token: "{token}", expirationTimestamp: "{expires}" },
        },
      },
    }),
    bearer: adjustableWire("kubelet", "Kubelets and others have tokens of the cluster.", {
      workloadTokens: { bearer: "token-of-the-kubelet" },
    }),
    audience: adjustableWire("token", "The default audience is the API server, in a list.", {
      workloadTokens: { audience: "{issuer}" },
    }),
    lifetime: fact("validation, token", "Tokens last for an hour, at least 10 minutes.", {
      dialect: { workloadTokens: { lifetime: 3600, request: { minLifetime: 600 } } },
    }),
    claims: adjustableWire("claims", "kubernetes.io says who asks, and for what.", {
      workloadTokens: {
        subject: "system:serviceaccount:{path.namespace}:{path.name}",
        claims: {
          jti: "{uuid:random}",
          "kubernetes.io": {
            namespace: "{path.namespace}",
            pod: { name: `{${bound}.name}`, uid: `{uuid:${bound}.name}` },
            serviceaccount: { name: "{path.name}", uid: "{uuid:account}" },
            warnafter: "{warnafter}",
          },
        },
      },
    }),
    warnafter: wire("token, claims", "3607 seconds for a pod become a year.", {
      workloadTokens: {
        extension: { lifetime: 3607, member: "spec.boundObjectRef", extended: 31536000 },
      },
    }),
    header: uncertainWire("claims", "The header has no typ; nbf is iat.", {
      workloadTokens: { header: { unset: ["typ"] }, notBefore: 0 },
    }),
    errors: uncertainWire("validation", "An error is a Status.", {
      workloadTokens: {
        unauthorized: failure(401, "Unauthorized", "Unauthorized"),
        wrongMethod: failure(405, "MethodNotAllowed", noMethod),
        invalid: failure(422, "Invalid", invalid),
      },
    }),
  },
  stricter: [
    "One bearer may ask for every account; in a cluster, roles decide.",
    "Documents need no token; in a cluster, they do unless its operator opens them.",
  ],
  missing: [
    "Other APIs of a cluster: every namespace, account and pod exists, with an id from its name.",
    "Nodes in kubernetes.io: add them to the claims. Tokens bound to secrets, nodes and webhooks.",
    "The limit of an operator for lifetimes, and keys of other algorithms.",
  ],
};
