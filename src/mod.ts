export { createServer } from "./server.ts";
export type { Server } from "./server.ts";
export { ConfigError } from "./issuer/resolve_config.ts";
export type { ClientConfig, Config, Lifetimes, UserConfig } from "./issuer/config.ts";
export type { Authenticate, KnownUsers, Policies } from "./issuer/policies.ts";
export type { Event } from "./issuer/events.ts";
export { memoryStore } from "./store/memory.ts";
export type { Page as StorePage, Row, Store } from "./store/store.ts";
export { OAuthError } from "./protocol/oauth_error.ts";
