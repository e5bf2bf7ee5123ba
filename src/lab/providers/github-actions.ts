import type { ProviderPreset } from "./preset.ts";
import { adjustableWire, fact, hosts, uncertainWire, wire, words } from "./preset_facts.ts";

const issuer = "https://token.actions.githubusercontent.com";
const docs = "https://docs.github.com/en/actions/reference/security/oidc";

/** The metadata, as it was published. */
const metadata = {
  issuer: "{issuer}",
  jwks_uri: "{base}/.well-known/jwks",
  subject_types_supported: ["public", "pairwise"],
  response_types_supported: ["id_token"],
  claims_supported: words(
    "sub aud exp iat iss jti nbf ref repository repository_id repository_owner repository_owner_id " +
      "run_id run_number run_attempt actor actor_id workflow workflow_ref workflow_sha head_ref " +
      "base_ref event_name ref_type environment environment_node_id job_workflow_ref " +
      "job_workflow_sha repository_visibility runner_environment",
  ),
  id_token_signing_alg_values_supported: ["RS256"],
  scopes_supported: ["openid"],
};
const workflow = "octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main";
const commit = "1b2d5c6f0e9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";

/** The issuer of tokens about jobs of GitHub Actions. */
export const githubActions: ProviderPreset = {
  name: "github-actions",
  title: "GitHub Actions (tokens of jobs)",
  sources: {
    metadata: [
      `${issuer}/.well-known/openid-configuration`,
      "copy in public notes, without a date",
    ],
    reference: [docs, "github/docs 051718f"],
    concepts: [
      "https://docs.github.com/en/actions/concepts/security/openid-connect",
      "github/docs 0a760a3, with an example token",
    ],
    toolkit: ["https://www.npmjs.com/package/@actions/core", "version 3.0.0"],
    sample: ["https://github.com/github/actions-oidc-debugger", "2025-07-03"],
  },
  facts: {
    metadata: fact("metadata", "OpenID Connect Discovery, and no other.", {
      idTokenAlgs: ["RS256"],
      dialect: {
        ownMetadata: false,
        aliases: [{ path: "/.well-known/jwks", to: "jwks" }],
        documents: [{ path: "/.well-known/openid-configuration", body: metadata }],
      },
    }),
    hosts: wire("metadata", "Metadata and keys are at the host of the issuer.", {
      hosts: hosts("token.actions.githubusercontent.com"),
    }),
    request: wire("toolkit", "A GET with a bearer is answered with value.", {
      workloadTokens: { body: { value: "{token}" } },
    }),
    runner: adjustableWire("toolkit", "The runner tells a job the URL and the bearer.", {
      workloadTokens: { path: "/idtoken", bearer: "token-of-the-runner" },
    }),
    audience: wire("reference", "The audience is the owner, or as requested.", {
      workloadTokens: { audience: "https://github.com/{claims.repository_owner}" },
    }),
    subject: adjustableWire("reference", "The subject names repository and ref.", {
      workloadTokens: { subject: "repo:{claims.repository}:ref:{claims.ref}" },
    }),
    claims: adjustableWire("reference, sample", "Claims are texts, also numbers.", {
      workloadTokens: {
        claims: {
          actor: "octocat",
          actor_id: "12",
          base_ref: "",
          event_name: "push",
          head_ref: "",
          job_workflow_ref: workflow,
          job_workflow_sha: commit,
          ref: "refs/heads/main",
          ref_protected: "false",
          ref_type: "branch",
          repository: "octo-org/octo-repo",
          repository_id: "74",
          repository_owner: "octo-org",
          repository_owner_id: "65",
          repository_visibility: "private",
          run_attempt: "2",
          run_id: "1234567890",
          run_number: "10",
          runner_environment: "github-hosted",
          sha: commit,
          workflow: "deploy",
          workflow_ref: workflow,
          workflow_sha: commit,
        },
      },
    }),
    x5t: wire("reference", "The header has x5t, beside kid.", {
      workloadTokens: { header: { set: { x5t: "{thumbprint:kid}" } } },
    }),
    lifetime: uncertainWire(
      "concepts, sample",
      "Tokens last for five minutes, from ten minutes before; a sample has six hours.",
      { workloadTokens: { lifetime: 300, notBefore: 600 } },
    ),
    unauthorized: uncertainWire("toolkit", "Without the bearer, the status is 401.", {
      workloadTokens: { unauthorized: { status: 401, body: { message: "Unauthorized" } } },
    }),
  },
  stricter: ["One bearer is right; at GitHub, it belongs to a job and expires with it."],
  missing: [
    "Subjects with ids, as repositories created after 2026-07-15 have them: set the subject.",
    "Subjects of environments, pull requests and tags, and customized ones: set the subject.",
    "The certificate that x5t is the hash of: here, x5t is only made from kid.",
    "The endpoints of the lab beside: no user signs in here.",
  ],
};
