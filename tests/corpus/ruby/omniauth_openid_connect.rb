# omniauth_openid_connect 0.10.0 (GitLab's, as Debian has it) with Rack, by its README and that of
# OmniAuth, "Getting Started".
require 'cgi'
require 'rack'
require 'rack/handler/webrick'
require 'rack/protection'
require 'omniauth'
require 'omniauth_openid_connect'

SWD.url_builder = URI::HTTP # for an issuer with http
OmniAuth.config.on_failure = ->(_env) { [401, { 'Content-Type' => 'text/html' }, ['Failed']] }

app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'a secret for the session cookie, of 64 letters and digits or more'
  use OmniAuth::Builder do
    provider :openid_connect,
      name: :lab,
      issuer: ENV.fetch('ISSUER'),
      discovery: true,
      scope: [:openid, :email, :profile],
      client_options: {
        identifier: ENV.fetch('CLIENT_ID'),
        secret: ENV.fetch('CLIENT_SECRET'),
        redirect_uri: "#{ENV.fetch('BASE_URL')}/auth/lab/callback",
      }
  end
  run(lambda do |env|
    request = Rack::Request.new(env)
    session = request.session
    response = Rack::Response.new
    response['Content-Type'] = 'text/html; charset=utf-8'
    token = Rack::Protection::AuthenticityToken.token(session)
    button = lambda do |action, label|
      "<form method='post' action='#{action}'><input type='hidden' name='authenticity_token' " \
        "value='#{token}'><button type='submit'>#{label}</button></form>"
    end
    case [request.request_method, request.path]
    when ['GET', '/'], ['GET', '/account']
      name = session['name']
      response.write(name ? "Hello #{CGI.escapeHTML(name)} #{button.call('/logout', 'Log out')}" : button.call('/auth/lab', 'Log in'))
    when ['GET', '/auth/lab/callback']
      auth = env['omniauth.auth']
      session.clear
      session['name'] = auth.info.name
      response.redirect('/account')
    when ['POST', '/logout']
      session.clear
      response.redirect('/')
    else
      response.status = 404
    end
    response.finish
  end)
end

Rack::Handler::WEBrick.run(app.to_app, Host: 'localhost', Port: ENV.fetch('PORT').to_i, AccessLog: [])
