// Bundles declarations: types.d.ts with all that two entry points need, and one file for each.
//
//   node bundle.mjs '{"serve":"PATH"}' FOLDER
import process from "node:process";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const [, , entries = "{}", dir] = process.argv;
const input = JSON.parse(entries);

/** No type of ours is that of a JSON file. */
const json = {
  name: "json",
  resolveId: (id) => id.endsWith(".json") ? "/json.d.ts" : undefined,
  load: (id) => id === "/json.d.ts" ? "declare const value: unknown; export default value;" : undefined,
};

const bundle = await rollup({
  input,
  plugins: [json, dts({ respectExternal: true, compilerOptions: { types: [] } })],
  onwarn({ message }) {
    throw new Error(message);
  },
});
await bundle.write({
  dir,
  chunkFileNames: "types.d.ts",
  manualChunks: (id) => Object.values(input).includes(id) ? undefined : "types",
  minifyInternalExports: false,
});
