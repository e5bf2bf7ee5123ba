# A login with OmniAuth, without a browser: hallpass exec -- ruby login_test.rb
# It needs what Debian has: apt-get install ruby-omniauth-openid-connect
require 'json'
require 'net/http'
require_relative 'shop'

CALLBACK = 'http://shop.example/auth/hallpass/callback'

# Calls the lab's interface over HTTP.
def lab(method, path, body)
  issuer = URI(ENV.fetch('ISSUER'))
  headers = { 'Content-Type' => 'application/json' }
  http = Net::HTTP.new(issuer.host, issuer.port)
  response = http.send_request(method, "/lab#{path}", body.to_json, headers)
  response.is_a?(Net::HTTPSuccess) or raise "#{path}: #{response.body}"
  JSON.parse(response.body)
end

# Debian's version sends no code_challenge, unlike the strategy that Rails applications install.
client = { secret: 'a-secret-of-32-letters-and-digits', redirectUris: [CALLBACK], pkce: 'optional' }
lab('PUT', '/clients/shop', client)

OmniAuth.config.request_validation_phase = nil # the test has no form with a token
browser = Rack::MockRequest.new(SHOP)
started = browser.post('http://shop.example/auth/hallpass')
cookie = started['Set-Cookie'][/[^;]+/]
signed_in = lab('POST', '/authorize', { url: started['Location'], user: 'alice' })
shown = browser.get(signed_in.fetch('callback'), 'HTTP_COOKIE' => cookie)
shown.body == 'Alice Adler' or raise "Expected Alice Adler, got #{shown.status} #{shown.body}"
