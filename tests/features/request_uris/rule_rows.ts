import { demoPublicKey } from "../../../src/lab/demo/demo_keys.ts";
import type { BrokenRules, RuleRows } from "../../support/broken_rules/rule_lab.ts";

const client_id = "publishing";
const request_uri = "https://hallpass.test/request.jwt";

const rows: BrokenRules = {
  "request_uri.readable": {
    settings: {
      clients: [{
        id: client_id,
        redirectUris: ["https://hallpass.test/authorized"],
        jwks: { keys: [demoPublicKey] },
        requestUris: [request_uri],
      }],
      fetchUntrusted: () => Promise.resolve(new Response("", { status: 404 })),
    },
    play: (kit) => kit.browser().open(kit.authorizationUrl({ client_id, request_uri })),
  },
};

export const requestUriRuleRows: RuleRows = {
  file: "../../features/request_uris/rule_rows.ts",
  rows,
};
