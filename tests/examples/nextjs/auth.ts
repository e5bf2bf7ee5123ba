// The application under test: Next.js with Auth.js. It contains no test code.
import NextAuth from "next-auth";

export const { handlers, auth, signIn } = NextAuth(() => ({
  trustHost: true,
  secret: "a secret for the session cookie",
  providers: [{
    id: "company",
    name: "Company",
    type: "oidc",
    issuer: process.env.ISSUER,
    clientId: "web",
    clientSecret: process.env.CLIENT_SECRET,
  }],
}));
