/** @jsxImportSource preact */
import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import {
  endSessionOrTokens,
  endSessions,
  type LabSession,
  type SessionTools,
} from "./list_sessions.ts";

/** The operations and the page of the sessions of users. */
export const sessionInterface: FeatureInterface<SessionTools> = {
  operations: [
    operation("GET /sessions", {
      name: "list-sessions",
      summary: "Lists where users are signed in, and what was issued there.",
      query: { user: "The name of a user." },
      kind: "list",
      returns: "ListedSession[]",
      page: {
        title: "Sessions and tokens",
        about: "Where users are signed in, and what they allowed clients there. The clients of a " +
          "session that ends get their logout tokens.",
        columns: {
          User: "user",
          Session: "active",
          Since: "authTime",
          Strength: ({ acr, amr = [] }: LabSession) => [acr ?? [], ...amr].flat().join(" "),
          Tokens: "tokens",
        },
        key: "sid",
        empty: "A session begins with a sign-in, and with tokens that a test mints.",
      },
      run: (lab, { query }) => lab.sessions({ user: query.get("user") ?? undefined }),
    }),
    operation("DELETE /sessions", {
      name: "end-sessions",
      summary: "Ends all sessions of a user, or of all users, and revokes all tokens.",
      query: { user: "The name of a user." },
      page: { title: "End all" },
      run: (lab, { query }) => endSessions(lab, query.get("user") ?? undefined),
    }),
    operation("DELETE /sessions/:id", {
      name: "end-session",
      summary:
        "Ends a session by its sid, which notifies its clients, or revokes tokens by their id.",
      example: { segment: "SID" },
      run: (lab, { segment }) => endSessionOrTokens(lab.context, segment),
    }),
  ],
  additions: {
    "actions on setup": (base) => (
      <a class="button secondary small" href={`${base}/lab/sessions`}>Sessions and tokens</a>
    ),
  },
};
