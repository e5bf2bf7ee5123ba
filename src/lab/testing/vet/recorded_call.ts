import type { RegistrationKind, SuiteFunction } from "./registrations.ts";
import { repeatedContext } from "./repeated_context.ts";
import type { SuiteScope } from "./suite_scope.ts";

/** A call of a test or a hook by its runner, which can be repeated. */
export interface RecordedCall {
  kind: RegistrationKind;
  /** The group that it belongs to. */
  scope: SuiteScope;
  /** The name, with those of the groups around it. */
  name: string;
  repeat(): Promise<void>;
}

/** Reports the end of a test that takes a callback. */
type Done = (problem?: unknown) => void;

/** Records how a runner called a function. */
export function recordCall(
  about: Omit<RecordedCall, "repeat">,
  { run, self, args }: { run: SuiteFunction; self: unknown; args: readonly unknown[] },
): RecordedCall {
  return {
    ...about,
    async repeat() {
      const after: Array<() => unknown> = [];
      try {
        if (takesCallback(run, args)) await withCallback(run, self, args);
        else await run.apply(self, args.map((arg) => repeatedContext(arg, after)));
      } finally {
        for (const cleanup of after.reverse()) await cleanup();
      }
    },
  };
}

/** In Vitest, the context is a function, too; it has the task that it belongs to. */
function takesCallback(run: SuiteFunction, args: readonly unknown[]): boolean {
  const last = args.at(-1);
  return typeof last === "function" && run.length === args.length && !("task" in last);
}

function withCallback(
  run: SuiteFunction,
  self: unknown,
  args: readonly unknown[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done: Done = (problem) => problem ? reject(problem) : resolve();
    run.apply(self, [...args.slice(0, -1), Object.assign(done, { fail: reject })]);
  });
}
