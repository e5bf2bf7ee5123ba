import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { ServerEvent } from "../../server/config/events.ts";
import type { ErrorCode } from "../../server/protocol/oauth_error.ts";

/** How important an event is to an operator. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The levels of the log, the least important first. */
export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The levels of events. Any other event has the level `info`. */
const levels: Readonly<Partial<Record<(ServerEvent | LabEvent)["type"], LogLevel>>> = {
  "request.pushed": "debug",
  "work.finished": "debug",
  "sign_in.failed": "warn",
  "user_code.refused": "warn",
  "client.refused": "warn",
  "forwarded_header.ignored": "warn",
  "forwarded_header.missing": "warn",
  "outbound.failed": "warn",
  "logout.failed": "warn",
  "ping.failed": "warn",
  "server.overloaded": "warn",
  "clock.differs": "error",
  "key.lost": "error",
  "work.failed": "error",
  "server.failed": "error",
};

/** Errors that clients meet while everything works, and paths that scanners try. */
const ordinaryErrors: readonly ErrorCode[] = [
  "authorization_pending",
  "slow_down",
  "login_required",
  "consent_required",
  "account_selection_required",
  "interaction_required",
  "use_dpop_nonce",
  "access_denied",
  "not_found",
];

const serverErrors: readonly ErrorCode[] = ["server_error", "temporarily_unavailable"];

/** Requests that come every few seconds, or with every page. */
const routinePath = /\/(health|favicon\.ico|static\/:file)$/;

export function levelOf(event: ServerEvent | LabEvent): LogLevel {
  if (event.type === "request.refused") return levelOfRefusal(event);
  if (event.type === "request.handled" && routinePath.test(event.path)) return "debug";
  return levels[event.type] ?? "info";
}

/** Whether an event with a level belongs into a log from another level on. */
export function isLogged(level: LogLevel, from: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(from);
}

function levelOfRefusal(
  { status, error, rule }: Extract<ServerEvent, { type: "request.refused" }>,
): LogLevel {
  // A stranger can send as many requests as they like, and must not page the operator by it.
  if (rule?.startsWith("limit.")) return "warn";
  // An error that is sent on to the client has the status of a redirect.
  if (status >= 500 || serverErrors.includes(error)) return "error";
  return ordinaryErrors.includes(error) ? "info" : "warn";
}
