export type { LogoutClientConfig, LogoutPages, LogoutPaths } from "./config.ts";
export type { LogoutWords } from "./languages/words.ts";
export type { SignOutProps } from "./sign_out.tsx";
