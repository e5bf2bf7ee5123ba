import { messagesOf } from "../../util/text/error_message.ts";
import { type FailureReason, UnsuitableServerError } from "../store_errors.ts";
import { codeOf } from "./pool.ts";

/** Why a store cannot be opened, by PostgreSQL's code. */
const reasonsByCode: Readonly<Record<string, string>> = {
  "28P01": "the user name or password is wrong",
  "28000": "the server lets this user not in from here. Check its pg_hba.conf",
  "3D000": "there is no database with this name",
  "3F000": "there is no schema with this name",
  "42501": "the user may not create tables there",
  "53300": "the server has no free connection. Raise its max_connections, or set ?connections",
  "57P03": "it is still starting. Try again in a moment",
  "25006": "its transactions only read",
  "57014": "it did not respond in time",
};

/** The same, by the beginning of a network error. */
const reasonsByText: readonly FailureReason[] = [
  [/ECONNREFUSED/, "the connection was refused. Check that PostgreSQL runs there", "passes"],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|name resolution/i,
    "the name of its host was not found",
    "passes",
  ],
  [/CONNECT_TIMEOUT|ETIMEDOUT|did not respond/i, "it did not respond in time", "passes"],
  [/cert|SELF_SIGNED|UnknownIssuer|unable to verify/i, "its TLS certificate is not trusted"],
  [
    /CONNECTION_CLOSED|ECONNRESET|EPIPE|closed/i,
    "it closed the connection. Check that it is PostgreSQL, and whether it uses TLS",
    "passes",
  ],
];

/** The codes of a server that is overloaded, starting, stopping, or out of disk space. */
const passingCodes = /^(08|53|57P|57014)/;

/** Returns why a store could not be opened, in words. */
export function openFailure(cause: unknown): string {
  if (cause instanceof UnsuitableServerError) return cause.message;
  const [, reason] = reasonByText(cause) ?? [];
  return reasonsByCode[codeOf(cause) ?? ""] ?? reason ?? messagesOf(cause);
}

/** Whether the same address may work later. */
export function isUnavailable(cause: unknown): boolean {
  if (cause instanceof UnsuitableServerError) return false;
  const [, , passes] = reasonByText(cause) ?? [];
  return passes !== undefined || passingCodes.test(codeOf(cause) ?? "");
}

function reasonByText(cause: unknown): FailureReason | undefined {
  const messages = messagesOf(cause);
  return reasonsByText.find(([pattern]) => pattern.test(messages));
}
