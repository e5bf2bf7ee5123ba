import type { Feature } from "../../feature.ts";

/** What the server sends to clients of its own accord, and again until it arrives. */
export const deliveries: Feature = { name: "deliveries" };
