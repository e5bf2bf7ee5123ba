/** What a drill runs, which loads with the first one. */
export { runDrill } from "./drill.ts";
export { prepareLogin } from "./prepare_login.ts";
export { selectVariants } from "./variants.ts";
