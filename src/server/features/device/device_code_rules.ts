import { pollingRules } from "./polling_rules.ts";

export const deviceCodeRules = pollingRules({
  parameter: "device_code",
  see: "RFC 8628, section 3.4",
  seeSecondUse: "RFC 8628, section 3.4",
  seeErrors: "RFC 8628, section 3.5",
  poller: "device",
  response: "device response",
  restart: "Start the device flow again.",
});
