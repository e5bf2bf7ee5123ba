/** @jsxImportSource preact */
import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { endSessionOrTokens, type SessionTools } from "./list_sessions.ts";

const { userSessions } = lazyModule(() => import("./pages/session_pages.tsx"));

/** The operations and the page of the sessions of users. */
export const sessionInterface: FeatureInterface<SessionTools> = {
  operations: [
    {
      name: "list-sessions",
      method: "GET",
      path: "/sessions",
      summary: "Lists where users are signed in, and what was issued there.",
      query: { user: "The name of a user." },
      returns: "ListedSession[]",
      run: (lab, { query }) => lab.sessions({ user: query.get("user") ?? undefined }),
    },
    {
      name: "end-session",
      method: "DELETE",
      path: "/sessions/:id",
      summary:
        "Ends a session by its sid, which notifies its clients, or revokes tokens by their id.",
      example: { segment: "SID" },
      run: (lab, { segment }) => endSessionOrTokens(lab.context, segment),
    },
  ],
  groups: [{ name: "sessions", title: "Sessions", before: "clock" }],
  pages: {
    below: ["sessions", "end-session"],
    load: async () => (await import("./pages/session_pages.tsx")).sessionPages,
  },
  additions: {
    "actions on setup": (base) => (
      <a class="button secondary small" href={`${base}/lab/sessions`}>Sessions and tokens</a>
    ),
  },
  sections: { user: userSessions },
};
