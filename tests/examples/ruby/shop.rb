# The application under test. It contains no test code.
require 'rack'
require 'omniauth'
require 'omniauth_openid_connect'

SWD.url_builder = URI::HTTP # only for http

def shop(issuer)
  Rack::Builder.new do
    use Rack::Session::Cookie, secret: 'a secret for the session cookie, of 64 letters and digits or more'
    use OmniAuth::Builder do
      provider :openid_connect,
        name: :hallpass,
        issuer: issuer,
        discovery: true,
        scope: [:openid, :profile],
        client_options: {
          identifier: 'shop',
          secret: 'a-secret-of-32-letters-and-digits',
          redirect_uri: 'http://shop.example/auth/hallpass/callback',
        }
    end
    run ->(env) { [200, {}, [env['omniauth.auth']&.info&.name.to_s]] }
  end.to_app
end
