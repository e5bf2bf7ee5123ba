import { auth } from "../auth.ts";

export default async function Page() {
  const session = await auth();
  return <h1>{session ? `Hello ${session.user?.name}` : "Welcome"}</h1>;
}
