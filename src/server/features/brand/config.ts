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
   * The logo: SVG, or a `data:` URL of an SVG, PNG, JPEG or WebP image. In a configuration file of
   * the program, the path of such a file.
   *
   * @default the logo of Hallpass
   */
  logo?: string;
  /**
   * The color of buttons and links, as `#rrggbb`. Its contrast with the page must be at least
   * 4.5:1. The dark theme has a lighter one, if that is needed.
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
   * CSS that comes after that of the pages. It can load nothing. In a configuration file of the
   * program, the path of a file.
   *
   * @default none
   */
  stylesheet?: string;
}

/** The setting of the brand. */
export interface BrandSetting {
  /** How the pages show the organization that runs the server. */
  brand?: BrandConfig;
}

export const brandSetting = settingsPart<BrandSetting>({
  schema: linkSchemas(settings).BrandSetting,
});
