/** A name of a header (RFC 9110, section 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** A value of a header (RFC 9110, section 5.5). With a line break, it would end the header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns why headers cannot be sent, or undefined. */
export function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers);
  const name = names.find((each) => !headerName.test(each));
  if (name !== undefined) return `${JSON.stringify(name)} is not the name of a header`;
  const other = names.find((each) => !headerValue.test(headers[each] ?? ""));
  return other && `the value of '${other}' has characters that no header can have`;
}
