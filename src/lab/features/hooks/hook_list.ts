import type { ActiveHook } from "./fire_hooks.ts";
import type { Hook, HookScope } from "./hook.ts";

/** Creates the list of the hooks of a lab, in the order in which they were added. */
export function createHookList() {
  let nextId = 1;
  let active: ActiveHook[] = [];
  let hasWork = false;
  return {
    active: (): readonly ActiveHook[] => active,
    /** Whether a hook was ever added. */
    hasWork: () => hasWork,
    /** Adds a hook, which can remove itself. */
    add(
      point: Hook["point"],
      scope: HookScope & Pick<Hook, "change">,
      rest: Omit<ActiveHook, "hook">,
    ): Hook {
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
    clear(): void {
      active = [];
      hasWork = false;
    },
  };
}
