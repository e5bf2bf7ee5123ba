import type { ActiveHook } from "./fire_hooks.ts";
import type { Hook, HookScope } from "./hook.ts";

/** The hooks of a lab, in the order in which they were added. */
export interface HookList {
  active(): readonly ActiveHook[];
  /** False until the first hook: most labs have none, and every request asks. */
  hasWork(): boolean;
  /** Adds a hook, which can remove itself. */
  add(
    point: Hook["point"],
    scope: HookScope & Pick<Hook, "change">,
    rest: Omit<ActiveHook, "hook">,
  ): Hook;
  clear(): void;
}

export function createHookList(): HookList {
  let nextId = 1;
  let active: ActiveHook[] = [];
  let hasWork = false;
  return {
    active: () => active,
    hasWork: () => hasWork,
    add(point, scope, rest) {
      const remove = () => void (active = active.filter((each) => each.hook !== hook));
      const hook: Hook = {
        ...scope,
        id: `hook-${nextId++}`,
        point,
        met: 0,
        fired: 0,
        remove,
        [Symbol.dispose]: remove,
      };
      active.push({ hook, ...rest });
      hasWork = true;
      return hook;
    },
    clear() {
      active = [];
      hasWork = false;
    },
  };
}
