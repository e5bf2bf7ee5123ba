// passport-openidconnect 0.1.2 in Express, by its README and todos-express-openidconnect.
import express from "express";
import session from "express-session";
import passport from "passport";
import OpenIDConnectStrategy from "passport-openidconnect";

const { ISSUER, PORT, BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const accounts = new Map();

passport.use(
  new OpenIDConnectStrategy({
    issuer: ISSUER,
    authorizationURL: `${ISSUER}/oauth2/authorize`,
    tokenURL: `${ISSUER}/oauth2/token`,
    userInfoURL: `${ISSUER}/oauth2/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${BASE_URL}/oauth2/redirect`,
    scope: ["profile"],
  }, function verify(issuer, profile, done) {
    const key = `${issuer} ${profile.id}`;
    const account = accounts.get(key) ?? { id: accounts.size + 1, name: profile.displayName };
    accounts.set(key, account);
    return done(null, account);
  }),
);
passport.serializeUser((user, done) => process.nextTick(() => done(null, user)));
passport.deserializeUser((user, done) => process.nextTick(() => done(null, user)));

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(session({ secret: "keyboard cat", resave: false, saveUninitialized: false }));
app.use(passport.authenticate("session"));

app.get("/", (request, response) => {
  if (!request.user) return response.send(`<a class="button" href="/login">Sign in</a>`);
  response.send(`<h1>${escape(request.user.name)}</h1>
    <form action="/logout" method="post"><button type="submit">Sign out</button></form>`);
});
app.get("/login", passport.authenticate("openidconnect"));
app.get(
  "/oauth2/redirect",
  passport.authenticate("openidconnect", { failureRedirect: "/failed", successRedirect: "/" }),
);
app.get("/failed", (_request, response) => response.status(401).send("Failed"));
app.post("/logout", (request, response, next) => {
  request.logout((error) => error ? next(error) : response.redirect("/"));
});

app.listen(PORT, "localhost");

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
