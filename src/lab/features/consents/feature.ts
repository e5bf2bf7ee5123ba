import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";
import type { ConsentTools } from "./list_consents.ts";

const { listConsents } = lazyModule(() => import("./list_consents.ts"));

/** What the users of a lab consented to, which a test can withdraw. */
export const consents: LabFeature<ConsentTools> = {
  name: "consents",
  open: ({ lab }) => ({
    tools: { consents: (filter = {}) => listConsents(lab().context, filter) },
  }),
};
