import dialect from "../../../static/settings/dialect.json" with { type: "json" };
import lab from "../../../static/settings/lab.json" with { type: "json" };
import { linkSchemas } from "../../server/config/link_schemas.ts";

export const labFileSchema = linkSchemas({ ...dialect, ...lab }).LabFileConfig;
