import { pollingRules } from "../device/polling_rules.ts";

export const authReqIdRules = pollingRules({
  parameter: "auth_req_id",
  see: "OpenID Connect CIBA, section 10.1",
  seeSecondUse: "OpenID Connect CIBA, section 10.1",
  seeErrors: "OpenID Connect CIBA, section 11",
  poller: "client",
  response: "authentication response",
  restart: "Send another backchannel authentication request.",
});
