import { printable } from "../printable.ts";
import { type Deployment, type Diagnosis, isLoopback } from "./deployment.ts";
import type { ProbeResult } from "./probe.ts";

/** How much is shown of what a server says, in characters. */
const maxLength = 300;

/** A look at an address: what a client that takes it for a server's expects there. */
export interface ProbedAddress {
  address: string;
  /** The issuer that the metadata must name. */
  expected: string;
  /** What is known of the server, if anything is. */
  place?: Deployment;
}

/** Holds what was met at an address against what a client expects there. */
export function diagnose(
  seen: ProbeResult,
  visit: ProbedAddress,
  someAnswer: boolean,
): Diagnosis[] {
  const { address, place: deployment } = visit;
  switch (seen.kind) {
    case "unknown":
      return [
        fromElsewhere(
          someAnswer,
          `${address}: nobody here knows the name '${new URL(address).hostname}'.`,
        ),
      ];
    case "silent":
      return [
        fromElsewhere(
          someAnswer && deployment?.inContainer === true && isLoopback(address),
          `${address} does not answer: ${seen.why}.`,
        ),
      ];
    case "strange":
      return [{ level: "problem", says: `${address} has no metadata below it: ${seen.why}.` }];
    case "server":
      return ofServer(seen, visit);
  }
}

/** A name of a network of containers is known in it alone, and a published port is open on the host alone. */
function fromElsewhere(isPlausible: boolean, says: string): Diagnosis {
  if (!isPlausible) return { level: "problem", says };
  return {
    level: "note",
    says:
      `${says} That is in order if only others use this address; look from where they are: docker compose exec SERVICE hallpass doctor`,
  };
}

function ofServer(
  { ips, metadata, healthy }: ProbeResult & { kind: "server" },
  { address, expected, place: deployment }: ProbedAddress,
): Diagnosis[] {
  const answers = `${address} (${ips.join(", ")}) answers`;
  const told = describeValue(metadata.issuer);
  return [
    metadata.issuer === expected
      ? { level: "ok", says: `${answers}, and names the issuer ${expected}.` }
      : {
        level: "problem",
        says:
          `${answers}, and names the issuer '${printable(told)}' where '${expected}' is expected: ${
            difference(told, expected)
          }. ` +
          "Clients compare the two letter by letter, and must refuse.",
      },
    ...healthy ? [] : [{
      level: "problem" as const,
      says: `${address} says of itself that it cannot do its work; its log says why.`,
    }],
    ...deployment
      ? [
        ...ofSide(address, metadata.authorization_endpoint, deployment.frontChannelUrl, "browsers"),
        ...ofSide(address, metadata.token_endpoint, deployment.backChannelUrl, "applications"),
      ]
      : [],
  ];
}

/** A server that was started with another configuration tells so by the endpoints that it names. */
function ofSide(address: string, endpoint: unknown, expected: string, who: string): Diagnosis[] {
  const origin = URL.parse(describeValue(endpoint))?.origin ?? "nowhere";
  if (origin === new URL(expected).origin) return [];
  return [{
    level: "problem",
    says:
      `${address} sends ${who} to ${origin}, and ${expected} is configured: it was started with another configuration.`,
  }];
}

/** A member of the metadata as it is printed, whatever its type. */
function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : String(JSON.stringify(value));
  return text.slice(0, maxLength);
}

/** Where two issuers part. */
export function difference(one: string, other: string): string {
  if (one.replace(/\/+$/, "") === other.replace(/\/+$/, "")) {
    return "they differ in the slash at the end";
  }
  if (!URL.canParse(one) || !URL.canParse(other)) return "one of them is no URL";
  const [a, b] = [new URL(one), new URL(other)];
  const parts = (["protocol", "hostname", "port", "pathname"] as const).filter((part) =>
    a[part] !== b[part]
  );
  const names = { protocol: "scheme", hostname: "host", port: "port", pathname: "path" };
  return parts.length === 0
    ? "they are spelled differently"
    : `they differ in ${parts.map((part) => names[part]).join(" and ")}`;
}
