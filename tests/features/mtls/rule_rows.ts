import { tokenExchangeGrantType } from "../../../src/server/protocol/grant_types.ts";
import {
  as,
  type BrokenRules,
  type RuleLab,
  type RuleRows,
} from "../../support/broken_rules/rule_lab.ts";
import type { Fields } from "../../support/kit.ts";
import type { PlayedRow } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { bound, byteSequence, redeemFor } from "./mtls_kit.ts";
import { derOf } from "./read_certificates.ts";

const api = "https://api.example";
const proxy = "192.0.2.1";

const exchanging = {
  id: "exchanging",
  secret: "s",
  grantTypes: [tokenExchangeGrantType],
  resources: [api],
  tokenExchange: { audiences: [api], impersonation: true },
};

const clients = [bound, ...hasFeature("token exchange") ? [exchanging] : []];

/** Gets tokens for one certificate, and uses them with another. */
function withAnother(
  use: (kit: RuleLab, tokens: Record<string, string>) => unknown,
  asked: Fields = {},
): PlayedRow<RuleLab> {
  return {
    settings: { mtls: {}, clients, resources: [api] },
    async play(kit) {
      kit.certificates = [derOf("plain")];
      const { access_token, refresh_token } = (await redeemFor(kit, "bound", {}, asked)).body;
      kit.certificates = [derOf("forged")];
      return await use(kit, { access_token, refresh_token });
    },
  };
}

/** Sends headers as a proxy does, or as one that pretends to be it. */
function withHeaders(
  headers: Record<string, string>,
  sender: { address?: string; certificates?: Uint8Array[] } = { address: proxy },
  at: { url?: string } = {},
): PlayedRow<RuleLab> {
  return {
    settings: { mtls: { proxies: [proxy], ...at } },
    play: (kit) => Object.assign(kit, sender).post("/oauth2/token", {}, headers),
  };
}

/** The rules of certificates, in their order. */
const rows: BrokenRules = {
  "client_cert.connection": withHeaders({ "Client-Cert": byteSequence("plain") }, {
    address: proxy,
    certificates: [derOf("plain")],
  }),
  "client_cert.proxy": withHeaders({ "Client-Cert": byteSequence("plain") }, {
    address: "192.0.2.2",
  }),
  "client_cert.host": withHeaders(
    { "Client-Cert": byteSequence("plain") },
    { address: proxy },
    { url: "https://mtls.hallpass.test" },
  ),
  "client_cert.form": withHeaders({ "Client-Cert": "MIIC" }),
  "client_cert.chain": withHeaders({
    "Client-Cert": byteSequence("plain"),
    "Client-Cert-Chain": "MIIC",
  }),
  "certificate.required": {
    settings: { mtls: {}, clients },
    play: (kit) => redeemFor(kit, "bound"),
  },
  "certificate.token": withAnother((kit, { access_token = "" }) => kit.userinfo(access_token)),
  "certificate.refresh_token": withAnother((kit, { refresh_token = "" }) =>
    kit.refresh(refresh_token, { client_id: "bound" })
  ),
  ...hasFeature("token exchange") && {
    "certificate.exchanged_token": withAnother((kit, { access_token }) =>
      kit.token({
        grant_type: tokenExchangeGrantType,
        subject_token: access_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      }, as("exchanging")), { resource: api, scope: "openid read" }),
  },
};

export const mtlsRuleRows: RuleRows = { file: "../../features/mtls/rule_rows.ts", rows };
