import calls from "../../../static/settings/lab_calls.json" with { type: "json" };
import { linkSchemas } from "../../server/config/link_schemas.ts";

/** The schemas of the bodies that the lab itself does not check, by the names of their types. */
export const bodySchemas = linkSchemas(calls);
