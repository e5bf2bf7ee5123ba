import type { Feature } from "../../feature.ts";
import { type BrandSetting, brandSetting } from "./config.ts";
import { brandOf, checkBrand } from "./resolve_brand.ts";

/** The pages show the organization that runs the server: its name, logo, colors and links. */
export const brand: Feature = {
  name: "brand",
  config: {
    server: {
      ...brandSetting,
      check: ({ brand }: BrandSetting, _, report) => checkBrand(brand, report),
      sets: ({ brand }: BrandSetting) => ({ brand: brandOf(brand) }),
    },
  },
};
