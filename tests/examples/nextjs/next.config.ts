import type { NextConfig } from "next";

const config: NextConfig = { devIndicators: false };

export default config;
