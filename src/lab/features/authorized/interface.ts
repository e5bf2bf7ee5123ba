import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { authorizedPages } from "./pages/authorized_pages.tsx";

/** The page where a flow of the lab's own ends. */
export const authorizedInterface: FeatureInterface = { frontPages: authorizedPages };
