import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { messageOf } from "../util/error_message.ts";
import type { ProgramConfig } from "./config_file.ts";
import { UsageError } from "./usage_error.ts";

/** Opens the store that a configuration names, or takes the one that it holds. */
export async function openStore(store: ProgramConfig["store"] = "memory"): Promise<Store> {
  if (typeof store !== "string") return store;
  if (store === "memory") return memoryStore();
  if (!store.startsWith("sqlite:")) {
    throw new UsageError(`The store is neither memory nor sqlite:PATH: ${store}`);
  }
  try {
    const { sqliteStore } = await import("../store/sqlite.ts");
    return sqliteStore(store.slice("sqlite:".length));
  } catch (cause) {
    throw new UsageError(`The store ${store} cannot be opened: ${messageOf(cause)}`);
  }
}
