/** The libraries that a lab knows the lines of. */
export { connections as connectableLibraries } from "../../../lab/features/connect/connections.ts";
