import dialect from "../../../static/settings/dialect.json" with { type: "json" };
import lab from "../../../static/settings/lab.json" with { type: "json" };
import presetFile from "../../../static/settings/preset_file.json" with { type: "json" };
import { linkSchemas } from "../../server/config/link_schemas.ts";

const schemas = linkSchemas({ ...dialect, ...lab, ...presetFile });

export const labFileSchema = schemas.LabFileConfig;
export const presetFileSchema = schemas.PresetFile;
