import type { Feature } from "../../feature.ts";
import { brandSetting } from "./config.ts";
import { brandOf, checkBrand } from "./resolve_brand.ts";

/** The pages show the organization that runs the server: its name, logo, colors and links. */
export const brand: Feature = {
  name: "brand",
  config: {
    server: {
      ...brandSetting,
      check: (config, _, report) => checkBrand(brandSetting.of(config).brand, report),
      frame: (config) => ({ brand: brandOf(brandSetting.of(config).brand) }),
    },
  },
};
