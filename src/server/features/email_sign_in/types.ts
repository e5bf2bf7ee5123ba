export type { EmailSignInConfig } from "./config.ts";
