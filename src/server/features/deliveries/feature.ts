import type { Feature } from "../../feature.ts";

/** Sends messages to clients, such as logout tokens, and retries those that fail. */
export const deliveries: Feature = { name: "deliveries" };
