import type { SessionStore } from "express-openid-connect";

/** Returns a store for sessions and logout tokens that is lost when the application ends. */
export function memoryStore(): SessionStore {
  const rows = new Map<string, Parameters<SessionStore["set"]>[1]>();
  return {
    get: (id, callback) => callback(null, rows.get(id)),
    set(id, session, callback) {
      rows.set(id, session);
      callback?.();
    },
    destroy(id, callback) {
      rows.delete(id);
      callback?.();
    },
  };
}
