import type { LabFeature } from "../../feature.ts";
import { trustInDemoIssuer } from "./demo.ts";

/** Assertions of a demo issuer, which a lab trusts. */
export const demoAssertions: LabFeature = {
  name: "assertions",
  serverSettings: trustInDemoIssuer,
};
