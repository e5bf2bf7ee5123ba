import io.quarkus.oidc.IdToken;
import io.quarkus.security.PermissionsAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Pages for users, and an API. */
@Path("/")
public class Corpus {
  @Inject @IdToken JsonWebToken idToken;
  @Inject JsonWebToken accessToken;

  @GET
  @Produces(MediaType.TEXT_HTML)
  public String home() {
    return "<a href='/account'>Sign in</a>";
  }

  @GET
  @Path("account")
  @Produces(MediaType.TEXT_HTML)
  public String account() {
    String name = String.valueOf(idToken.<String>getClaim("name"));
    return "Hello " + name.replace("&", "&amp;").replace("<", "&lt;") + " <a href='/logout'>Sign out</a>";
  }

  @GET
  @Path("orders")
  @PermissionsAllowed("read")
  @Produces(MediaType.TEXT_PLAIN)
  public String orders() {
    return "Orders of " + accessToken.getSubject();
  }
}
