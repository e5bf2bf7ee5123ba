import { certificateMethods } from "../../model/client_config.ts";
import { clientAlgorithms, type SigningAlgorithm } from "../../model/signing.ts";
import { issuerProblem } from "../../protocol/issuer_url.ts";
import { isNativeUri } from "../../protocol/redirect_uri.ts";
import { isObject } from "../../util/text/json.ts";
import { minute, parseDuration } from "../../util/time/duration.ts";
import { addressMembers } from "../addresses.ts";
import type { ClientSettings, Profile, ProfileRule, ServerRule } from "./profile.ts";

const algs: readonly SigningAlgorithm[] = ["PS256", "ES256", "EdDSA"];

const proofAlgs: readonly string[] = clientAlgorithms(algs);

const methods: Profile["authentication"] = ["private_key_jwt", ...certificateMethods];

const general = "FAPI 2.0 Security Profile, section 5.3.2.1";
const codeFlow = "FAPI 2.0 Security Profile, section 5.3.2.2";
const tokenType = "RFC 9068, section 2.1";
const cryptography = "FAPI 2.0 Security Profile, section 5.4.1";

const serverRules: readonly ServerRule[] = [
  ...addressMembers.map((member): ServerRule => ({
    path: member,
    requirement: "must use https",
    see: "FAPI 2.0 Security Profile, section 5.2.1",
    holds: ({ [member]: address }) =>
      !address?.startsWith("http:") || issuerProblem(address, false) === undefined,
  })),
  {
    path: "pkce",
    requirement: "must be 'required'",
    see: codeFlow,
    holds: ({ pkce }) => pkce === "required",
  },
  {
    path: "registration.pkce",
    requirement: "must be 'required'",
    see: codeFlow,
    holds: ({ registration }) => !isObject(registration) || registration.pkce !== "optional",
  },
  {
    path: "registration.assertionAudience",
    requirement: "must be 'issuer'",
    see: general,
    holds: ({ registration }) =>
      !isObject(registration) || registration.assertionAudience !== "token-endpoint",
  },
  {
    path: "requirePar",
    requirement: "must be true",
    see: codeFlow,
    holds: ({ requirePar }) => requirePar === true,
  },
  {
    path: "lifetimes.code",
    requirement: "must be at most 60 seconds",
    see: general,
    holds: ({ lifetimes }) => (parseDuration(lifetimes?.code) ?? 0) <= 1 * minute,
  },
  {
    path: "refreshTokens",
    requirement: "must be 'keep'",
    see: general,
    holds: ({ refreshTokens }) => refreshTokens === "keep",
  },
  {
    path: "alg",
    requirement: `must be one of ${algs.join(", ")}`,
    see: cryptography,
    holds: ({ alg }) => isAllowed(alg),
  },
  {
    path: "accessTokenType",
    requirement: "must be 'at+jwt'",
    see: tokenType,
    holds: ({ accessTokenType }) => accessTokenType !== "JWT",
  },
  {
    path: "resources",
    requirement: "must not have the accessTokenType 'JWT'",
    see: tokenType,
    holds: ({ resources = [] }) =>
      resources === "any" ||
      !resources.some((each) => isObject(each) && each.accessTokenType === "JWT"),
  },
  {
    path: "idTokenAlgs",
    requirement: `must be among ${algs.join(", ")}`,
    see: cryptography,
    holds: ({ idTokenAlgs = [] }) => idTokenAlgs.every(isAllowed),
  },
  {
    path: "dpopAlgs",
    requirement: `must be among ${proofAlgs.join(", ")}`,
    see: cryptography,
    holds: ({ dpopAlgs = [] }) => dpopAlgs.every((alg) => proofAlgs.includes(alg)),
  },
];

const clientRules: ReadonlyArray<ProfileRule<ClientSettings>> = [
  {
    path: "authentication",
    requirement: "must be private_key_jwt or a method with a certificate",
    see: general,
    holds: ({ authentication = [] }) =>
      authentication.length === 1 && authentication.every((each) => methods.includes(each)),
  },
  {
    path: "secret",
    requirement: "must be left out",
    see: general,
    holds: ({ secret }) => secret === undefined,
  },
  {
    path: "assertionAudience",
    requirement: "must be 'issuer'",
    see: general,
    holds: ({ assertionAudience = "issuer" }) => assertionAudience === "issuer",
  },
  {
    path: "accessTokenType",
    requirement: "must be 'at+jwt'",
    see: tokenType,
    holds: ({ accessTokenType }) => accessTokenType !== "JWT",
  },
  {
    path: "dpop",
    requirement: "must be 'required' unless certificateBoundTokens is true",
    see: general,
    holds: ({ dpop, certificateBoundTokens = false }) =>
      dpop === "required" || certificateBoundTokens,
  },
  {
    path: "pkce",
    requirement: "must be 'required'",
    see: codeFlow,
    holds: ({ pkce = "required" }) => pkce === "required",
  },
  {
    path: "redirectUris",
    requirement: "must use https, or http on loopback if the client is native,",
    see: codeFlow,
    holds: ({ redirectUris = [], native }) =>
      redirectUris.every((uri) => !uri.startsWith("http:") || (native && isNativeUri(uri))),
  },
  ...(["idTokenAlg", "userinfoAlg", "introspectionAlg", "authorizationResponseAlg"] as const).map((
    path,
  ): ProfileRule<ClientSettings> => ({
    path,
    requirement: `must be one of ${algs.join(", ")}`,
    see: cryptography,
    holds: (client) => client[path] === undefined || isAllowed(client[path]),
  })),
];

function isAllowed(alg: string | undefined): boolean {
  return algs.some((allowed) => allowed === alg);
}

/**
 * For APIs of high value: confidential clients with keys, pushed requests, bound tokens (FAPI 2.0
 * Security Profile).
 */
export const fapi2: Profile = {
  name: "fapi-2.0",
  server: {
    requirePar: true,
    pkce: "required",
    idTokenClaims: "minimal",
    unknownScopes: "refuse",
    refreshTokens: "keep",
    alg: "ES256",
    lifetimes: { code: 1 * minute },
  },
  client: { authentication: ["private_key_jwt"], dpop: "required" },
  untrustedClient: {},
  untrustedClients: "standard scopes",
  registeredScope: "limit",
  algs,
  authentication: methods,
  serverRules,
  clientRules,
};
