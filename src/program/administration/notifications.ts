import type { ServerEvent } from "../../server/config/events.ts";
import type { Context } from "../../server/issuer/context.ts";
import { counted, second } from "../../server/util/time/duration.ts";
import { withTimeout } from "../../server/util/time/promises.ts";

/** Who learned that sessions ended. */
export interface Notified {
  clients: readonly string[];
  /** The clients that did not: a server tries again. */
  unreached: readonly string[];
}

/** How long a command waits for applications, in milliseconds. Each request has five seconds. */
const timeout = 30 * second * 1000;

/** Follows what a command sends to applications. */
export function followNotifications() {
  const clients = new Set<string>();
  const unreached = new Set<string>();
  return {
    onEvent(event: ServerEvent): void {
      if (event.type === "logout.delivered") clients.add(event.client);
      if (event.type === "logout.failed") unreached.add(event.client);
    },
    /** Waits, for a limited time, until each application has been notified or could not be. */
    async finish({ background }: Context): Promise<Notified> {
      const tooLong = () => new Error("Some applications took too long.");
      await withTimeout(timeout, background.idle(), tooLong).catch(() => {});
      return { clients: [...clients], unreached: [...unreached] };
    },
  };
}

/** Describes the applications that were notified; empty if none had to be. */
export function describeNotified({ clients, unreached }: Notified): string {
  if (clients.length + unreached.length === 0) return "";
  return `, ${counted(clients.length, "application")} notified`;
}
