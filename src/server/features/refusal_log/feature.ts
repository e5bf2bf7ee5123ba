import type { Feature } from "../../feature.ts";
import { describeRefusal } from "./describe_refusal.ts";

/** Operators read why a request was refused: what came, and what would allow it. */
export const refusalLog: Feature = { name: "described refusals", describeRefusal };
