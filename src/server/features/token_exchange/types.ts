export type { ExchangeClientConfig, IdJagConfig, TokenExchangeConfig } from "./config.ts";
