import schemas from "../../../static/lab_schemas.json" with { type: "json" };

/** The generated schema of each interface. */
export const labSchemas: unknown = schemas;
