export type { MtlsClientConfig, MtlsConfig, MtlsSetting } from "./config.ts";
