import type { StaticFile } from "./static_files.ts";

/** What the pages show of the organization that runs the server. */
export interface Brand {
  /** The name in titles, and at the top of each page. */
  name: string;
  /** The URL of the logo. */
  logo: string;
  /** The URL of the style sheet, if there is one. It comes after that of the pages. */
  stylesheet?: string | undefined;
  /** Where users get help. */
  support?: string | undefined;
  /** The privacy policy. */
  privacy?: string | undefined;
  /** The terms of service. */
  terms?: string | undefined;
}

/** A brand, with the files that the server serves for it. */
export interface BrandSettings extends Pick<Brand, "name" | "support" | "privacy" | "terms"> {
  logo?: StaticFile | undefined;
  stylesheet?: StaticFile | undefined;
}

/** The brand of a server that configures none. */
export const defaultBrand: BrandSettings = { name: "Hallpass" };
