import type { Feature } from "../../feature.ts";
import { loggedDetails } from "./logged_details.ts";

/** Operators read why a request was refused: what came, and what would allow it. */
export const refusalDetails: Feature = { name: "described refusals", loggedDetails };
