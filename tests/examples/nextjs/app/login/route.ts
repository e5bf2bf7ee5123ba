import { signIn } from "../../auth.ts";

export async function GET(): Promise<void> {
  await signIn("company", { redirectTo: "/" });
}
