import type { Operation } from "./operation.ts";
import { accountOperations } from "./operations/account_operations.ts";
import { credentialOperations } from "./operations/credential_operations.ts";
import { directoryOperations } from "./operations/directory_operations.ts";
import { foreignOperations } from "./operations/foreign_operations.ts";
import { keyOperations } from "./operations/key_operations.ts";
import { registrationOperations } from "./operations/registration_operations.ts";
import { userOperations } from "./operations/user_operations.ts";

/** Every operation of the model. One that is added here meets all others. */
export const operations: readonly Operation[] = [
  ...userOperations,
  ...accountOperations,
  ...credentialOperations,
  ...foreignOperations,
  ...directoryOperations,
  ...registrationOperations,
  ...keyOperations,
];

/** Finds an operation by its name. */
export function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation '${name}'.`);
  return found;
}
