import { memoryStore } from "../../../src/server/store/memory.ts";
import { openFileStore } from "../../support/sqlite_file.ts";
import { itSignsInOnMany } from "./many_servers.ts";

itSignsInOnMany("memory", memoryStore);
itSignsInOnMany("SQLite", openFileStore);
