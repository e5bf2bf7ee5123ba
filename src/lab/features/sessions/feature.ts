import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { SessionTools } from "./list_sessions.ts";

const load = once(() => import("./list_sessions.ts"));

/** The sessions of the users of a lab, and their tokens, which a test can end. */
export const sessions: LabFeature<SessionTools> = {
  name: "sessions",
  open: ({ lab }) => ({
    tools: { sessions: async (filter = {}) => (await load()).listSessions(lab().context, filter) },
  }),
};
