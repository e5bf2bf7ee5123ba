import { settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import settings from "./settings.json" with { type: "json" };

/** How the pages show the organization that runs the server. */
export interface BrandConfig {
  /**
   * The name in titles, and at the top of each page.
   *
   * @format display-name
   * @default "Hallpass"
   */
  name?: string;
  /**
   * SVG, or a `data:` URL of an SVG, PNG, JPEG or WebP image; in a configuration file, the path of
   * such an image.
   *
   * @default the logo of Hallpass
   */
  logo?: string;
  /**
   * The color of buttons and links, with a contrast of at least 4.5:1; the dark theme has a lighter
   * one, if needed.
   *
   * @format color
   * @default "#0f766e"
   */
  accent?: string;
  /**
   * Where users get help: a page, or a `mailto:` address.
   *
   * @format link
   */
  support?: string;
  /**
   * The privacy policy for users.
   *
   * @format url
   */
  privacy?: string;
  /**
   * The terms of service for users.
   *
   * @format url
   */
  terms?: string;
  /**
   * CSS that comes after that of the pages, and can load nothing; in a configuration file, the path
   * of a file.
   */
  stylesheet?: string;
}

/** The setting of the brand. */
export interface BrandSetting {
  /** How the pages show the organization that runs the server. */
  brand?: BrandConfig;
}

export const brandSetting = settingsPart<BrandSetting>(linkSchemas(settings).BrandSetting);
