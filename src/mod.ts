export { createServer } from "./server.ts";
export type { Server } from "./server.ts";
export { ConfigError } from "./issuer/settings.ts";
export type { ClientConfig, Config, Lifetimes, Policies, UserConfig } from "./issuer/config.ts";
export type { Event } from "./issuer/events.ts";
export { memoryStore } from "./store/memory.ts";
export type { Page as StorePage, Row, Store } from "./store/store.ts";
export { OAuthError } from "./protocol/oauth_error.ts";
