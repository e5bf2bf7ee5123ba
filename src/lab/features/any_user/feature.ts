import type { LabFeature } from "../../feature.ts";
import { createUserAdmission } from "./admission.ts";

/** Unknown users, whom a sign-in makes known. */
export const anyUser: LabFeature = {
  name: "any_user",
  open({ parts }) {
    const admission = createUserAdmission(() => parts().server);
    return {
      ...{ tools: {}, internals: {} },
      answers: (config) => config.anyUser ? { unknownUsers: admission } : {},
      state: admission,
    };
  },
};
