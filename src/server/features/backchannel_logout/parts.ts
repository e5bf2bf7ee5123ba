import { serverPart } from "../../issuer/part_of.ts";

/** A client that has to be notified that a session ended. */
export interface LogoutDelivery {
  id: string;
  clientId: string;
  /** Whether the client chose its URL itself. */
  untrusted: boolean;
  subject: string;
  sid: string;
  /** The first attempt is 1. */
  attempt: number;
  /** In milliseconds. */
  dueAt: number;
}

/** The attempts that are due, by `delivery/attempt`. */
export const logoutDeliveries = serverPart(({ records: { open } }) =>
  open.plain<LogoutDelivery>("logout-delivery", ({ untrusted }) => untrusted !== undefined)
);
