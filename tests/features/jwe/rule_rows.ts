import { as, type BrokenRules, type RuleRows } from "../../support/broken_rules/rule_lab.ts";

const client_id = "sealed";

const rows: BrokenRules = {
  "encryption.key": {
    settings: {
      clients: [{
        id: client_id,
        secret: "s",
        redirectUris: ["https://hallpass.test/authorized"],
        jwksUri: "https://app.example/jwks",
        idTokenEncryptionAlg: "ECDH-ES",
        idTokenEncryptionEnc: "A256GCM",
      }],
      fetch: () => Promise.resolve(Response.json({ keys: [] })),
    },
    play: async (kit) =>
      await kit.redeem(await kit.code({ client_id, scope: "openid" }), {}, as(client_id)),
  },
};

export const jweRuleRows: RuleRows = { file: "../../features/jwe/rule_rows.ts", rows };
