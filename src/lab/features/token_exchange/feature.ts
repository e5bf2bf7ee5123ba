import type { LabFeature } from "../../feature.ts";
import { exchangesOfService } from "./demo.ts";

/** The demo service may exchange tokens. */
export const demoTokenExchange: LabFeature = {
  name: "token_exchange",
  demo: { ofService: exchangesOfService },
};
