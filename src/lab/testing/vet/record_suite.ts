import { recordCall, type RecordedCall } from "./recorded_call.ts";
import { kindOf, type RegistrationName, type SuiteFunction } from "./registrations.ts";
import { contains, fullName, type SuiteScope } from "./suite_scope.ts";
import { type WrapCallback, wrapRegistration } from "./wrap_registration.ts";

/** Records what a runner calls of a suite. */
export interface SuiteRecorder {
  /** Wraps a function of a runner. */
  wrap<F extends SuiteFunction>(register: F, name: RegistrationName, owner: object): F;
  /** Returns the group of tests that is being registered. */
  scope(): SuiteScope;
  /** Ends the recording. Returns the calls that a test in a scope can repeat. */
  end(scope: SuiteScope): RecordedCall[];
}

export function createSuiteRecorder(): SuiteRecorder {
  let current: SuiteScope = { name: "" };
  let isRecording = true;
  const recorded: RecordedCall[] = [];

  /** A group runs at once or later, depending on the runner; what it registers belongs to it. */
  function wrapGroup(run: SuiteFunction, name: string): SuiteFunction {
    const scope: SuiteScope = { name, parent: current };
    return function (this: unknown, ...args) {
      const before = current;
      current = scope;
      return endWith(() => run.apply(this, args), () => void (current = before));
    };
  }

  const wrapCallback: WrapCallback = (registration, run, title) => {
    const kind = kindOf(registration);
    if (kind === "group") return wrapGroup(run, title);
    const scope = current;
    const name = fullName({ name: title === "" ? registration : title, parent: scope });
    return function (this: unknown, ...args) {
      if (isRecording) recorded.push(recordCall({ kind, name, scope }, { run, self: this, args }));
      return run.apply(this, args);
    };
  };

  return {
    wrap: (register, name, owner) => wrapRegistration(register, { name, owner }, wrapCallback),
    scope: () => current,
    end(scope) {
      isRecording = false;
      return withoutLastHooks(recorded.filter((call) => !isAround(call, scope)));
    },
  };
}

/** What was set up for a group applies to each test in it, so no test repeats it. */
function isAround({ kind, scope }: RecordedCall, inner: SuiteScope): boolean {
  return kind === "hook around a group" && contains(scope, inner);
}

/** The last hooks before a test were called for the one that repeats the others. */
function withoutLastHooks(calls: readonly RecordedCall[]): RecordedCall[] {
  const end = calls.findLastIndex(({ kind }) => kind !== "hook before a test");
  return calls.slice(0, end + 1);
}

/** Calls a function, and another one when it has ended, even if it fails. */
function endWith(run: () => unknown, end: () => void): unknown {
  let result: unknown;
  try {
    result = run();
  } finally {
    if (!(result instanceof Promise)) end();
  }
  return result instanceof Promise ? result.finally(end) : result;
}
