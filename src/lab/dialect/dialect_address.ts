import type { Config } from "../../server/features.ts";
import { LabError } from "../util/lab_error.ts";
import type { Dialect } from "./dialect.ts";
import { segmentIn } from "./match_path.ts";

/** Where the issuer of a lab is. */
export interface DialectAddress {
  issuer: string;
  /** The URL that paths of the dialect are below, without a final slash. */
  base: string;
  /** The open segment of the issuer's path; empty if there is none. */
  tenant: string;
  /** The URL that browsers find the paths of the dialect below. */
  front: string;
  /** The URL that applications find the paths of the dialect below. */
  back: string;
}

/** The addresses of a lab besides its issuer. */
export type ChannelUrls = Pick<Config, "frontChannelUrl" | "backChannelUrl">;

type OwnAddress = Omit<DialectAddress, "front" | "back">;
type AddressRule = Pick<Dialect, "issuerPath" | "tenant">;

/** Returns the addresses of a lab: a dialect may put its issuer below a path. */
export function dialectAddress(
  given: string,
  rule?: AddressRule,
  { frontChannelUrl, backChannelUrl }: ChannelUrls = {},
): DialectAddress {
  const own = ownAddress(given, rule ?? {});
  const baseOf = (url = given) => ownAddress(url, { ...rule, tenant: own.tenant }).base;
  return { ...own, front: baseOf(frontChannelUrl), back: baseOf(backChannelUrl) };
}

function ownAddress(given: string, { issuerPath, tenant }: AddressRule): OwnAddress {
  // The server reports what is no URL, with every other problem.
  if (typeof given !== "string" || !URL.canParse(given)) {
    return { issuer: given, base: given, tenant: "" };
  }
  const whole = given.replace(/\/$/, "");
  if (issuerPath === undefined) return { issuer: given, base: whole, tenant: "" };
  if (issuerPath === "/") return { issuer: `${whole}/`, base: whole, tenant: "" };
  const depth = issuerPath.split("/").length - 1;
  const tail = new URL(whole).pathname.split("/").slice(-depth).join("/");
  // The issuer may already have the path of the dialect.
  const named = segmentIn(issuerPath, `/${tail}`);
  if (named !== undefined) {
    return { issuer: given, base: whole.split("/").slice(0, -depth).join("/"), tenant: named };
  }
  if (tenant === undefined && issuerPath.includes("/:")) {
    throw new LabError(`The issuer '${given}' must end like '${issuerPath}'.`);
  }
  const path = issuerPath.replace(/:[^/]+/, tenant ?? "");
  return { issuer: `${whole}${path}`, base: whole, tenant: tenant ?? "" };
}
