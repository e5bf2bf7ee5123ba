export type { BrandConfig, BrandSetting } from "./config.ts";
