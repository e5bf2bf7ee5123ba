/** What a drill runs, which loads with the first one. */
export { runDrill } from "./drill.ts";
export { prepareLogin } from "./prepare_login.ts";
export { mcpVariantsFor } from "./variants/mcp_variants.ts";
export { loginVariantsFor, selectVariants } from "./variants/variants.ts";
