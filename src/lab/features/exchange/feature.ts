import type { LabFeature } from "../../feature.ts";
import { exchangesOfService } from "./demo.ts";

/** The demo service may exchange tokens. */
export const demoExchange: LabFeature = {
  name: "exchange",
  demo: { ofService: exchangesOfService },
};
