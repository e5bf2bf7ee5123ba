import { isLoopbackHost } from "../../util/loopback.ts";

/** Where a server is said to be found, and where its program listens. */
export interface Deployment {
  issuer: string;
  frontChannelUrl: string;
  backChannelUrl: string;
  /** All of these, each once. */
  addresses: readonly string[];
  listens: { host: string; port: number };
  /** Whether this program runs in a container. */
  inContainer: boolean;
}

/** Something found out. A problem stands in the way of clients; a note may. */
export interface Diagnosis {
  level: "ok" | "note" | "problem";
  says: string;
}

/** Whether an address means the machine that it is used on, whichever that is. */
export function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

/** What can be told without asking anybody. */
export function diagnoseDeployment(deployment: Deployment): Diagnosis[] {
  return [ofListener(deployment), ...ofBackChannel(deployment)];
}

/** Whether anybody but this machine, or this container, gets through to the program. */
function ofListener({ listens: { host, port }, addresses, inContainer }: Deployment): Diagnosis {
  if (!isLoopbackHost(host)) {
    return {
      level: "ok",
      says:
        `The program listens on ${host}, port ${port}, where other machines and containers get through.`,
    };
  }
  const says =
    `The program listens on ${host} alone, port ${port}: no other machine or container gets through, not even by a published port`;
  const remedy =
    "To let them, say --host 0.0.0.0, and for a lab --expose and --lab-token TOKEN as well.";
  const promised = addresses.filter((address) => !isLoopback(address));
  if (promised.length === 0) return { level: "note", says: `${says}. ${remedy}` };
  const hasProxy = !inContainer && promised.every((address) => address.startsWith("https:"));
  if (hasProxy) {
    return {
      level: "note",
      says: `${says}, unless a proxy on this machine passes on what is sent to ${
        promised.join(" and ")
      }.`,
    };
  }
  return { level: "problem", says: `${says}, to ${promised.join(" and ")}. ${remedy}` };
}

/** In another container, localhost is that container. */
function ofBackChannel({ backChannelUrl }: Deployment): Diagnosis[] {
  if (!isLoopback(backChannelUrl)) return [];
  const says =
    `Applications are told to ask ${backChannelUrl}: right for those on this machine, wrong for those in containers, which find themselves there.`;
  return [{ level: "note", says }];
}
