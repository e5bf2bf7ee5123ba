/** Writes the schemas of the lab's interface over HTTP, for its OpenAPI document. */
import { refusedSettings } from "../../src/lab/lab_server/json_settings.ts";
import type { SettingTypes } from "./read_settings.ts";
import { createWriter, type JsonSchema, settingsIn, textFormat } from "./write_json_schema.ts";

const place = "#/components/schemas/";

/** Returns the schemas of some interfaces, and of what they refer to, by their names. */
export function apiSchemas(types: SettingTypes, names: readonly string[]): string {
  const { definitions, propertiesOf, referTo } = createWriter(types, {
    place,
    definesFormats: false,
    writesDefaults: false,
    text: (format) => ({ type: "string", ...textFormat(format) }),
  });
  const settings = propertiesOf(
    settingsIn(types, ["LabServerConfig", "LabFileConfig"])
      .filter(({ name }) => !Object.hasOwn(refusedSettings, name)),
  );
  for (const name of names) {
    if (!referTo(name)) throw new Error(`${name} cannot be data.`);
  }
  const tenantOptions = propertiesOf(settingsIn(types, ["TenantOptions"]));
  const schemas = {
    ...definitions,
    LabSettings: objectOf("Settings of a lab that may change after its start.", settings),
    TenantSettings: objectOf("The configuration of a tenant.", { ...tenantOptions, ...settings }),
    OpenApiDocument: { description: "This document.", type: "object" },
  };
  return JSON.stringify(schemas);
}

function objectOf(description: string, properties: JsonSchema): JsonSchema {
  return { description, type: "object", properties, additionalProperties: false };
}
