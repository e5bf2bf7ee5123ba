/**
 * Returns what to throw for an entry whose test runner cannot be loaded: what to install, unless
 * the runner is there and has refused.
 */
exports.loadError = (cause, entry, packages) => {
  if (!/MODULE_NOT_FOUND$/.test(cause?.code)) return cause;
  const [reason] = String(cause.message).split("\n", 1);
  const install = `npm install --save-dev ${packages}`;
  const problem = `hallpass/${entry} needs a package that cannot be loaded.`;
  return new Error(`${problem} Install it: ${install} (${reason})`, { cause });
};
