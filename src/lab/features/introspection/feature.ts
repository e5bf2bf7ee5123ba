import type { LabFeature } from "../../feature.ts";

/** The demo service may introspect the tokens of every client. */
export const demoIntrospection: LabFeature = {
  name: "introspection",
  demo: { ofService: () => ({ introspect: "any" }) },
};
