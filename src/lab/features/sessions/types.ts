export type {
  LabSession,
  ListedSession,
  ListedTokens,
  SessionFilter,
  SessionTokens,
  SessionTools,
} from "./list_sessions.ts";
