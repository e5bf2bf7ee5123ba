// Mistakes of libraries for APIs, as they were published. See the other file here.
import { createHmac } from "node:crypto";
import { Api, type Api as ApiType, Refusal, requiredScope } from "../broken/api.ts";
import type { ApiBug } from "../broken/bug.ts";
import { type Json, readClaims } from "../broken/site.ts";

const steps = Api.prototype;

export const heldOutApiBugs: readonly ApiBug[] = ([
  {
    bug: "the issuer has to be a part of ours",
    source: "CVE-2024-53861, PyJWT",
    named: ["wrong_issuer", "similar_issuer", "issuer_part", "issuer_prefix"],
    change: (api) => ({
      checkIss({ iss = "-" }) {
        if (!api.settings.issuer.includes(iss)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "of several issuers in a token, one has to be ours",
    source: "CVE-2025-30144, fast-jwt",
    named: ["issuer_list", "similar_issuer", "wrong_issuer"],
    change: (api) => ({
      checkIss({ iss }) {
        if (![iss].flat().includes(api.settings.issuer)) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "an empty list of audiences passes",
    source: "CVE-2020-26160, jwt-go",
    named: ["wrong_audience", "without_audience", "no_audience", "empty_audience"],
    change: (api) => ({
      checkAud({ aud }) {
        if (Array.isArray(aud) && aud.length === 0) return;
        steps.checkAud.call(api, { aud });
      },
    }),
  },
  {
    bug: "the audience is compared only if it is a list",
    source: "CVE-2024-5798, Vault",
    named: ["wrong_audience", "id_token", "wrong_type"],
    change: (api) => ({
      checkAud({ aud }) {
        if (Array.isArray(aud)) steps.checkAud.call(api, { aud });
      },
    }),
  },
  {
    bug: "the audience may be that of any client of the server",
    source: "CVE-2023-22482, Argo CD",
    named: ["wrong_audience", "id_token", "client_audience"],
    change: (api) => ({
      checkAud({ aud, client_id, azp }) {
        const isClient = [aud].flat().some((each) => each === client_id || each === azp);
        if (!isClient && !/^demo-/.test(String(aud))) steps.checkAud.call(api, { aud });
      },
      checkType() {},
      checkScope(claims) {
        if (claims.scope !== undefined) steps.checkScope.call(api, claims);
      },
    }),
  },
  {
    bug: "a token of an unknown issuer is not verified",
    source: "CVE-2021-21378, JWT filter of Envoy",
    named: ["wrong_issuer", "foreign_issuer"],
    change: (api) => ({
      async readJwt(token) {
        const claims = readClaims(token);
        if (claims.iss !== api.settings.issuer) return claims;
        return await steps.readJwt.call(api, token);
      },
    }),
  },
  {
    bug: "a token may be signed with HS256 and the public key as a JWK",
    source: "CVE-2016-10555, jwt-simple",
    named: ["hs256_public_key"],
    change: (api) => ({
      async verifySignature(token, header) {
        const key = await api.findKey(header);
        if (header.alg !== "HS256" || !key) return await verifyOf(api, token, header);
        if (!isMac(token, JSON.stringify(key))) throw new Refusal("invalid_token");
      },
    }),
  },
  {
    bug: "without a key, a token needs no signature",
    source: "CVE-2022-23540, jsonwebtoken",
    named: ["alg_none"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (/^none$/i.test(header.alg) && token.endsWith(".")) return;
        await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "a signature is compared as far as it goes",
    source: "CVE-2020-28042, ServiceStack",
    named: ["alg_none", "empty_signature", "foreign_key", "malformed"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (token.endsWith(".") && header.alg === "RS256") return;
        await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "an algorithm in another case is none",
    source: "Insomnia Security, 2020: nonE at the Authentication API of Auth0",
    named: ["alg_none"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (/^nOnE$/.test(header.alg) || header.alg === "NONE") return;
        await verifyOf(api, token, header);
      },
    }),
  },
  {
    bug: "the algorithm of a token decides what the key is",
    source: "CVE-2024-37568, Authlib",
    named: ["hs256_public_key"],
    change: (api) => ({
      async verifySignature(token, header) {
        if (!String(header.alg).startsWith("HS")) return await verifyOf(api, token, header);
        const key = await api.findKey(header);
        const secrets = [JSON.stringify(key), key?.n ?? "", await pemOf(key)];
        if (!secrets.some((secret) => secret !== "" && isMac(token, secret))) {
          throw new Refusal("invalid_token");
        }
      },
    }),
  },
  {
    bug: "a URL with a query is not that of the rule that protects it",
    source: "CVE-2020-8595, Istio",
    named: ["query", "no_token"],
    change: (api) => ({
      authorize: (request) =>
        new URL(request.url).search === ""
          ? steps.authorize.call(api, request)
          : Promise.resolve({ sub: api.owner }),
    }),
  },
  {
    bug: "the scope of a token is not checked if it was seen before",
    source: "CVE-2021-32701, Ory Oathkeeper",
    configuration: { introspects: true },
    named: ["small_scope", "no_scope", "revoked_opaque", "cached_token"],
    change(api) {
      const seen = new Set<string>();
      return {
        async introspect(token) {
          if (seen.has(token)) return { sub: api.owner, scope: requiredScope.join(" ") };
          const claims = await steps.introspect.call(api, token);
          seen.add(token);
          return claims;
        },
      };
    },
  },
  {
    bug: "any scheme works",
    source: "RFC 6750, section 2.1: the second word of the header",
    named: ["header_form", "dpop_as_bearer", "other_scheme"],
    change: () => ({ parseHeader: (header) => /^(\w*) ?([\w.~+/-]+=*)$/i.exec(header) }),
  },
  {
    bug: "a proof without a hash of the token works",
    source: "RFC 9449, section 4.3",
    named: ["dpop_other_token"],
    change: () => ({
      checkProofToken({ ath }, hash) {
        if (ath !== undefined && ath !== hash) throw new Refusal("invalid_dpop_proof");
      },
    }),
  },
  {
    bug: "a proof is for the host, whatever the path",
    source: "RFC 9449, section 4.3: URLs that are compared in part",
    named: ["dpop_other_url"],
    change: (api) => ({
      checkProofUrl({ htu }) {
        if (new URL(htu).host !== new URL(api.settings.url).host) {
          throw new Refusal("invalid_dpop_proof");
        }
      },
    }),
  },
  {
    bug: "a refusal repeats the token",
    source: "CVE-2019-7644, Auth0-WCF: errors that say too much",
    named: ["token_in_response", "stack_trace", "secret_in_page"],
    change: (api) => ({
      async respond(request) {
        const response = await steps.respond.call(api, request);
        if (response.status < 400) return response;
        const { status, headers } = response;
        const token = request.headers.get("Authorization");
        return new Response(`Cannot verify ${token}`, { status, headers });
      },
    }),
  },
] satisfies ReadonlyArray<Omit<ApiBug, "kind">>).map((bug) => ({ kind: "api", ...bug }));

function verifyOf(api: ApiType, token: string, header: Json): Promise<void> {
  return steps.verifySignature.call(api, token, header);
}

function isMac(token: string, secret: string): boolean {
  const at = token.lastIndexOf(".");
  const mac = createHmac("sha256", secret).update(token.slice(0, at)).digest("base64url");
  return mac === token.slice(at + 1);
}

async function pemOf(key: object | undefined): Promise<string> {
  if (key === undefined) return "";
  const { createPublicKey } = await import("node:crypto");
  return String(
    createPublicKey({ key, format: "jwk" } as never)
      .export({ type: "spki", format: "pem" }),
  );
}
