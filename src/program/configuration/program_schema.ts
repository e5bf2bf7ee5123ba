import program from "../../../static/settings/program.json" with { type: "json" };
import { linkSchemas } from "../../server/config/link_schemas.ts";

export const programDefaults = program.ProgramConfig.defaults;
export const programSchema = linkSchemas(program).ProgramConfig;
